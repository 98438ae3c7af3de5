"""How things look: colours, tables and cards as HTML, bars in notebooks."""
