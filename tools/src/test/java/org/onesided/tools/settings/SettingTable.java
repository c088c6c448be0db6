package org.onesided.tools.settings;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Writes settings as the rows of a table in Markdown, for the documentation.
 */
public final class SettingTable
{
    private SettingTable()
    {
    }

    /**
     * Writes a table, of which default and meaning are the last columns.
     *
     * @param heading  of the columns.
     * @param settings to write, in the order of their names.
     * @param names    of a setting: the columns before those.
     * @return the table.
     */
    public static String of(
        final String heading, final List<Setting<?>> settings, final Function<Setting<?>, List<String>> names)
    {
        return heading + "\n" + heading.replaceAll("[^|]+", "---") + "\n" + settings.stream()
            .sorted(Comparator.comparing(Setting::name))
            .map((setting) -> "| " + String.join(" | ", names.apply(setting)) + " | " + setting.byDefault() + " | " +
                setting.meaning() + " |\n")
            .collect(Collectors.joining());
    }
}
