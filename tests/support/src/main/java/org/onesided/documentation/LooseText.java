package org.onesided.documentation;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Compares what a page shows with what was printed. Numbers with their units stand for any, and so do GUIDs and GIDs;
 * blanks for any blanks; three dots for anything, as a line for any lines.
 */
final class LooseText
{
    private static final String ANYTHING = "...";
    private static final Pattern NUMBER =
        Pattern.compile("(?<![\\w#])\\d+(?:[.,]\\d+)*(?: ?(?:bytes?|[KMGT]iB|[mnu]?s|%)(?!\\w))?");
    private static final Pattern HEX =
        Pattern.compile("(?<!\\w)(?:0x[0-9a-f]+|(?:::)?[0-9a-f]{4}(?::[0-9a-f.]+)+)(?!\\w)");
    private static final Pattern PLURAL = Pattern.compile("(0 \\w+?)s\\b");

    private LooseText()
    {
    }

    /** Whether what was printed is what is shown. */
    static boolean matches(final List<String> shown, final List<String> printed)
    {
        if (shown.isEmpty())
        {
            return printed.stream().allMatch(String::isBlank);
        }
        final List<String> rest = shown.subList(1, shown.size());
        if (shown.get(0).strip().equals(ANYTHING))
        {
            for (int i = 0; i <= printed.size(); i++)
            {
                if (matches(rest, printed.subList(i, printed.size())))
                {
                    return true;
                }
            }
            return false;
        }
        return !printed.isEmpty() && matchesLine(shown.get(0), printed.get(0)) &&
            matches(rest, printed.subList(1, printed.size()));
    }

    private static boolean matchesLine(final String shown, final String printed)
    {
        final StringBuilder regex = new StringBuilder();
        for (final String part : plain(shown).split(Pattern.quote(ANYTHING), -1))
        {
            regex.append(regex.isEmpty() ? "" : ".*").append(Pattern.quote(part));
        }
        return plain(printed).matches(regex.toString());
    }

    private static String plain(final String line)
    {
        final String withoutHex = HEX.matcher(line.strip()).replaceAll("0");
        final String plain = NUMBER.matcher(withoutHex).replaceAll("0").replaceAll("\\s+", " ");
        return PLURAL.matcher(plain).replaceAll("$1");
    }
}
