package org.onesided.documentation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.onesided.testing.ProjectFolder;

/**
 * What the documentation shows, for the tests that run commands which {@code DocumentationTest} cannot.
 */
public final class Documented
{
    /** What the rest of a broken line begins with. */
    private static final String BREAK = "    ";

    private Documented()
    {
    }

    /**
     * Fails unless a page shows what a command has printed, but for numbers.
     *
     * @param page    such as {@code docs/rdma.md}.
     * @param command as it is typed there.
     * @param printed by it.
     */
    public static void assertShown(final String page, final String command, final String printed)
    {
        final List<String> shown = shown(page, command);
        assertTrue(
            LooseText.matches(shown, printed.lines().toList()),
            () -> page + " shows:\n" + String.join("\n", shown) + "\nprinted:\n" + printed);
    }

    /**
     * What two terminals show beside each other.
     *
     * @param page    such as {@code docs/rdma.md}.
     * @param command that is typed in the second of them.
     * @return lines of both, without blanks around them, each as a whole where the page breaks it, empty where one has
     *         nothing.
     */
    public static List<String[]> sideBySide(final String page, final String command)
    {
        final List<String> shown = shown(page, command);
        final int column = shown.stream()
            .filter(line -> line.startsWith(" ".repeat(BREAK.length() + 1)))
            .mapToInt(line -> line.length() - line.stripLeading().length())
            .min().orElseThrow();
        final List<String[]> lines = new ArrayList<>();
        for (final String line : shown)
        {
            final String left = line.substring(0, Math.min(column, line.length()));
            final String right = line.substring(left.length());
            if (left.startsWith(BREAK) && !left.isBlank())
            {
                lines.get(lines.size() - 1)[0] += " " + left.strip();
            }
            else
            {
                lines.add(new String[]{left.strip(), right.strip()});
            }
        }
        return lines;
    }

    private static List<String> shown(final String page, final String command)
    {
        return Page.of(ProjectFolder.ROOT.resolve(page)).blocks().stream()
            .flatMap(List::stream)
            .filter(each -> each.name().equals(command) && !each.output().isEmpty())
            .map(ShownCommand::output)
            .findFirst().orElseThrow(() -> new AssertionError(page + " does not show: " + command));
    }
}
