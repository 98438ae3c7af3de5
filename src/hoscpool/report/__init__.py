"""Pages and pictures of results. Nothing here trains or computes a result again."""
