"""FEED: what is wrong with the feed itself."""
