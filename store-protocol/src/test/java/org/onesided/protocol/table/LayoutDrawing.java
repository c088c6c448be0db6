package org.onesided.protocol.table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the layouts that are drawn as boxes in Javadoc.
 *
 * <p>Ascending numbers over a box are byte offsets: each stands one column behind the bar that it belongs to, and a bar
 * between two of them lies at the offset in between. A box may have several rows; a row whose text ends in {@code ...
 * N} goes on to byte N, one that ends in {@code ...} has an end that is not drawn, so what follows it has no offset.
 * Descending numbers are bits: the cell below says which, from its highest to its lowest.
 */
final class LayoutDrawing
{
    /** Where an offset or a length is not drawn. */
    static final int OPEN = -1;

    /** A cell: its first byte and how many, or its lowest bit and how many. */
    record Field(int offset, int length)
    {
    }

    private static final Pattern RULER = Pattern.compile("\\s*(?:\\w+:)?(\\s*\\d+){2,}\\s*");
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final Pattern SPAN = Pattern.compile("(.*?)\\s*\\.\\.\\.\\s*(\\d*)");

    private final Map<String, Field> fields = new LinkedHashMap<>();
    private int length;

    private LayoutDrawing()
    {
    }

    /** All drawings of a source file of a module's main code, in their order. */
    static List<LayoutDrawing> ofSource(final Class<?> type) throws IOException
    {
        final Path source = Path.of("src/main/java", type.getName().replace('.', '/') + ".java");
        return ofText(Files.readString(source));
    }

    static List<LayoutDrawing> ofText(final String text)
    {
        final List<LayoutDrawing> drawings = new ArrayList<>();
        boolean inside = false;
        List<String> box = null;
        for (final String line : text.split("\n"))
        {
            final String content = line.replaceFirst("^\\s*\\*", "");
            inside = (inside || content.contains("<pre>")) && !content.contains("</pre>");
            final boolean isRuler = inside && RULER.matcher(content).matches();
            final boolean isBox = inside && (content.trim().startsWith("+") || content.trim().startsWith("|"));
            if (isRuler)
            {
                box = new ArrayList<>();
                box.add(content);
            }
            else if (box != null && isBox)
            {
                box.add(content);
            }
            else if (box != null)
            {
                drawings.add(of(box));
                box = null;
            }
        }
        return drawings;
    }

    private static LayoutDrawing of(final List<String> box)
    {
        final LayoutDrawing drawing = new LayoutDrawing();
        final List<int[]> ruler = new ArrayList<>();
        final Matcher number = NUMBER.matcher(box.get(0));
        while (number.find())
        {
            ruler.add(new int[]{number.start() - 1, number.end(), Integer.parseInt(number.group())});
        }
        final boolean areBits = ruler.get(0)[2] > ruler.get(1)[2];
        for (final String line : box.subList(1, box.size()))
        {
            if (line.trim().startsWith("|"))
            {
                if (areBits)
                {
                    drawing.addBits(line, ruler);
                }
                else
                {
                    drawing.addRow(line, ruler);
                }
            }
        }
        return drawing;
    }

    private void addBits(final String line, final List<int[]> ruler)
    {
        for (int bar = line.indexOf('|'); bar != line.lastIndexOf('|'); bar = line.indexOf('|', bar + 1))
        {
            final int end = line.indexOf('|', bar + 1);
            int high = OPEN;
            int low = OPEN;
            for (final int[] mark : ruler)
            {
                if (mark[0] >= bar && mark[1] <= end)
                {
                    high = high == OPEN ? mark[2] : high;
                    low = mark[2];
                }
            }
            if (high == OPEN)
            {
                throw new IllegalArgumentException("no bits over a cell: " + line);
            }
            add(line.substring(bar + 1, end).trim(), low, high - low + 1);
            length += high - low + 1;
        }
    }

    private void addRow(final String line, final List<int[]> ruler)
    {
        final int start = length;
        final Matcher span = SPAN.matcher(line.substring(line.indexOf('|') + 1, line.lastIndexOf('|')).trim());
        if (span.matches() && span.group(1).indexOf('|') < 0)
        {
            final int end = span.group(2).isEmpty() ? OPEN : Integer.parseInt(span.group(2));
            add(span.group(1), start, start == OPEN || end == OPEN ? OPEN : end - start);
            length = end;
            return;
        }
        for (int bar = line.indexOf('|'); bar != line.lastIndexOf('|'); bar = line.indexOf('|', bar + 1))
        {
            final int end = line.indexOf('|', bar + 1);
            final int from = byteAt(bar, ruler);
            final int to = byteAt(end, ruler);
            add(line.substring(bar + 1, end).trim(), start == OPEN ? OPEN : start + from, to - from);
        }
        length = start == OPEN ? OPEN : start + byteAt(line.lastIndexOf('|'), ruler);
    }

    private static int byteAt(final int column, final List<int[]> ruler)
    {
        for (int i = 1; i < ruler.size(); i++)
        {
            final int[] left = ruler.get(i - 1);
            final int[] right = ruler.get(i);
            if (column >= left[0] && column <= right[0])
            {
                final int scaled = (column - left[0]) * (right[2] - left[2]);
                if (scaled % (right[0] - left[0]) == 0)
                {
                    return left[2] + scaled / (right[0] - left[0]);
                }
            }
        }
        throw new IllegalArgumentException("a bar stands between bytes: column=" + column);
    }

    private void add(final String name, final int offset, final int size)
    {
        if (!name.isEmpty() && fields.put(name, new Field(offset, size)) != null)
        {
            throw new IllegalArgumentException("drawn twice: " + name);
        }
    }

    Map<String, Field> fields()
    {
        return fields;
    }

    /** Bytes or bits of the whole, or {@link #OPEN}. */
    int length()
    {
        return length;
    }
}
