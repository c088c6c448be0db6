package org.onesided.tools.text;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of cells in columns, two blanks apart, so that both people and {@code awk -F '  +'} can read them. Not
 * thread-safe.
 */
public final class Table
{
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    /**
     * @param head of each column.
     */
    public Table(final String... head)
    {
        rows.add(List.of(head));
    }

    /**
     * Adds a row.
     *
     * @param cells as many as there are columns; an empty one is shown as {@code -}.
     * @return this.
     */
    public Table row(final Object... cells)
    {
        if (cells.length != rows.get(0).size())
        {
            throw new IllegalArgumentException(
                "a row has a cell per column: cells=" + cells.length + " columns=" + rows.get(0).size());
        }
        final List<String> row = new ArrayList<>();
        for (final Object cell : cells)
        {
            final String text = String.valueOf(cell);
            row.add(text.isEmpty() ? "-" : text);
        }
        rows.add(row);
        return this;
    }

    /**
     * @return the rows below the head, each with a cell per column.
     */
    public List<List<String>> rows()
    {
        return List.copyOf(rows.subList(1, rows.size()));
    }

    /**
     * @return head of each column.
     */
    public List<String> head()
    {
        return rows.get(0);
    }

    /**
     * @return whether there are no rows.
     */
    public boolean isEmpty()
    {
        return rows.size() == 1;
    }

    /**
     * @return a line per row, without trailing blanks.
     */
    @Override
    public String toString()
    {
        final int columns = rows.get(0).size();
        final int[] widths = new int[columns];
        for (final List<String> row : rows)
        {
            for (int i = 0; i < columns; i++)
            {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        final StringBuilder text = new StringBuilder();
        for (final List<String> row : rows)
        {
            final StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++)
            {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length())).append(GAP);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
