package org.onesided.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.onesided.testing.ProjectFolder;

/**
 * A page of the documentation in Markdown.
 */
final class Page
{
    private static final Pattern FENCE = Pattern.compile("\\s*```(\\w*)\\s*");
    private static final Pattern PROMPT = Pattern.compile("(host\\d|)\\$ (.*)");
    private static final Pattern SECOND_PROMPT = Pattern.compile("\\s{2,}host\\d\\$ ");
    /** Without a prompt, too, what begins so is a command of this project. */
    private static final Pattern OWN_PROGRAM = Pattern.compile("(\\./(kvctl|check|mvnw)|tests/\\S+|\\.ci/run)( .*)?");
    private static final Pattern INDENTED = Pattern.compile(" {4,}(\\$ .*|" + OWN_PROGRAM.pattern() + ")");
    private static final Pattern CODE = Pattern.compile("(?<!`)`([^`]+)`(?!`)");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("#+ (.*)");
    private static final Set<String> SCRIPTS = Set.of("sh", "bash");

    private final Path path;
    private final List<List<ShownCommand>> blocks = new ArrayList<>();
    private final StringBuilder prose = new StringBuilder();
    private final List<String> anchors = new ArrayList<>();

    private Page(final Path path) throws IOException
    {
        this.path = path;
        read(Files.readAllLines(path));
    }

    /** README, CONTRIBUTING and all below docs. */
    static List<Page> all()
    {
        try (Stream<Path> docs = Files.walk(ProjectFolder.ROOT.resolve("docs")))
        {
            return Stream.concat(
                Stream.of("README.md", "CONTRIBUTING.md").map(ProjectFolder.ROOT::resolve),
                docs.filter(each -> each.toString().endsWith(".md") && !each.toString().contains("/target/")).sorted())
                .map(Page::of)
                .toList();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    static Page of(final Path path)
    {
        try
        {
            return new Page(path);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    Path path()
    {
        return path;
    }

    String name()
    {
        return ProjectFolder.ROOT.relativize(path).toString();
    }

    /** The commands of each fenced block that has some. */
    List<List<ShownCommand>> blocks()
    {
        return blocks;
    }

    /** What is code within sentences and tables. */
    List<String> code()
    {
        return CODE.matcher(prose).results()
            .map(code -> code.group(1).replace("\\|", "|").replaceAll("\\s+", " "))
            .toList();
    }

    List<String> links()
    {
        return LINK.matcher(prose).results().map(link -> link.group(1)).toList();
    }

    /** The names of its headings, as links have them. */
    List<String> anchors()
    {
        return anchors;
    }

    @Override
    public String toString()
    {
        return name();
    }

    private void read(final List<String> lines)
    {
        for (int i = 0; i < lines.size(); i++)
        {
            final Matcher fence = FENCE.matcher(lines.get(i));
            if (fence.matches())
            {
                final int begin = i + 1;
                i = begin;
                while (i < lines.size() && !FENCE.matcher(lines.get(i)).matches())
                {
                    i++;
                }
                final List<ShownCommand> commands = SCRIPTS.contains(fence.group(1)) ?
                    script(begin, lines.subList(begin, i)) : transcript(begin, lines.subList(begin, i));
                if (!commands.isEmpty())
                {
                    blocks.add(commands);
                }
            }
            else
            {
                readProse(i, lines.get(i));
            }
        }
    }

    private void readProse(final int index, final String line)
    {
        if (INDENTED.matcher(line).matches())
        {
            throw new IllegalArgumentException(
                "a command that is not in a fenced block: " + name() + ":" + (index + 1));
        }
        prose.append(line).append('\n');
        final Matcher heading = HEADING.matcher(line);
        if (heading.matches())
        {
            anchors.add(heading.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-'));
        }
    }

    private List<ShownCommand> transcript(final int begin, final List<String> lines)
    {
        final List<ShownCommand> commands = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++)
        {
            final Matcher prompt = PROMPT.matcher(lines.get(i));
            if (prompt.matches())
            {
                for (final String text : SECOND_PROMPT.split(prompt.group(2)))
                {
                    commands.add(new ShownCommand(name(), begin + i + 1, prompt.group(1), text, new ArrayList<>()));
                }
            }
            else if (OWN_PROGRAM.matcher(lines.get(i)).matches())
            {
                commands.add(new ShownCommand(name(), begin + i + 1, "", lines.get(i), new ArrayList<>()));
            }
            else if (!commands.isEmpty())
            {
                commands.get(commands.size() - 1).shown().add(lines.get(i));
            }
        }
        return commands;
    }

    /** Commands of a script: a line each, but for those that go on in the next, and functions. */
    private List<ShownCommand> script(final int begin, final List<String> lines)
    {
        final List<ShownCommand> commands = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++)
        {
            final int first = i;
            final boolean isFunction = lines.get(i).matches("\\w+\\(\\)");
            while (i + 1 < lines.size() && (isFunction ? !lines.get(i).equals("}") : lines.get(i).endsWith("\\")))
            {
                i++;
            }
            final String text = lines.subList(first, i + 1).stream().collect(Collectors.joining("\n"));
            if (!ShellCall.of(text).isEmpty() || text.contains("="))
            {
                commands.add(new ShownCommand(name(), begin + first + 1, "", text, List.of()));
            }
        }
        return commands;
    }
}
