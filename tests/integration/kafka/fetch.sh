#!/bin/sh
# Bring Apache Kafka's jars from Maven Central into .cache/kafka (43 MB, once). Needs Java 17 and mvn.
set -eu
cd "$(dirname "$0")/../../.."
mvn --quiet --batch-mode --file tests/integration/kafka/pom.xml dependency:copy-dependencies \
    -DincludeScope=runtime -DoutputDirectory="$PWD/.cache/kafka"
echo "$(ls .cache/kafka/*.jar | wc -l) jars in .cache/kafka" >&2
