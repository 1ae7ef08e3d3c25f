"""How an answer leaves the store: JSON, JSON Lines, CSV or Parquet.

Times are RFC 3339 with offset, lists are arrays, integers of any size stay exact. Bytes are text where they are UTF-8,
and `base64:` with their code where they are not.
"""

from __future__ import annotations

import base64
import csv
import json
import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any, TextIO

import duckdb

from auditor.store.reader import Answer, QueryRefused

_PARQUET_ROWS = 10_000  # moved at a time
_UNTYPED = '"NULL"'  # DuckDB's type for nothing but NULL literals


def plain(value: Any) -> Any:
    """The value as JSON has it. Not-a-number and the infinities, which JSON lacks, become null."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return int(value)
    if isinstance(value, (float, Decimal)):
        return float(value) if isfinite(value) else None
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return text_of(bytes(value))
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [plain(item) for item in value]
    return str(value)


def text_of(raw: bytes) -> str:
    """Bytes as text where they are UTF-8, and else in base64, marked so."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return "base64:" + base64.b64encode(raw).decode("ascii")


def cell(value: Any) -> str:
    """The value as one cell of text: nothing for null, JSON for a list or an object."""
    value = plain(value)
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def write_json(answer: Answer, out: TextIO) -> None:
    """One JSON array of objects, a row on each line."""
    out.write("[")
    for number, text in enumerate(_objects(answer)):
        out.write(",\n" if number else "\n")
        out.write(text)
    out.write("\n]\n")


def write_jsonl(answer: Answer, out: TextIO) -> None:
    """One JSON object a line."""
    for text in _objects(answer):
        out.write(text + "\n")


def write_csv(answer: Answer, out: TextIO) -> None:
    """A line of column names, then a line a row, as RFC 4180 quotes them."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(answer.columns)
    writer.writerows([cell(value) for value in row] for row in answer)


def write_parquet(answer: Answer, path: Path) -> None:
    """A Parquet file.

    DuckDB writes it, through a connection of its own that never sees the query: the one that does can write nothing.
    Raises `QueryRefused` when a value has no place in Parquet, and `OSError` when the file cannot be written.
    """
    with duckdb.connect(":memory:", config={"python_enable_replacements": "false"}) as scratch:
        try:
            scratch.execute("SET TimeZone = 'UTC'")
            scratch.execute(f"CREATE TABLE answer ({', '.join(_parquet_columns(answer))})")
            rows = iter(answer)
            while batch := list(islice(rows, _PARQUET_ROWS)):
                with scratch.appender("answer") as appender:
                    appender.append_rows(batch)
            scratch.table("answer").write_parquet(str(path))
        except duckdb.IOException as error:
            raise OSError(str(error)) from error
        except duckdb.Error as error:
            raise QueryRefused(f"the answer does not fit Parquet: {error}") from error


def _objects(answer: Answer) -> Iterator[str]:
    for row in answer:
        yield json.dumps(_named(answer.columns, row), ensure_ascii=False, allow_nan=False)


def _named(columns: Sequence[str], row: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(columns, map(plain, row), strict=True))


def _parquet_columns(answer: Answer) -> Iterator[str]:
    for name, type_ in zip(answer.columns, answer.types, strict=True):
        quoted = name.replace('"', '""')
        # Parquet has no integer of 128 bits, and DuckDB would round one to a float.
        exact = re.sub(r"\bU?HUGEINT\b", "DECIMAL(38, 0)", type_)
        yield f'"{quoted}" {exact.replace(_UNTYPED, "VARCHAR")}'
