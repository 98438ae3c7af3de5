"""Pages and pictures from results; nothing here computes what it shows a second time, and nothing trains."""
