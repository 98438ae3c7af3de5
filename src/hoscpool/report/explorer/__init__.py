"""The part of a page on which a person explores communities: a map, a search, cards, a table of members."""
