package org.onesided.documentation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.onesided.testing.ProjectFolder;

/**
 * Looks at calls of the project's scripts, which take minutes, without running them: whether there is such a script,
 * whether its help names the options, and whether there are the tests, modules and files that they name.
 */
final class Scripts
{
    /** Runs what its first argument names: a file in tests/runs. */
    private static final String RUNNER = "tests/run";
    /** Words of each script's help, with one blank around them. */
    private static final Map<String, String> OPTIONS = new ConcurrentHashMap<>();

    private Scripts()
    {
    }

    /** Whether the program is one of these scripts. */
    static boolean isOne(final String program)
    {
        return program.startsWith("tests/") || List.of("./check", "./mvnw", ".ci/run").contains(program);
    }

    /** What is wrong with a call; null if nothing is, or if it is none of these scripts. */
    static String complaint(final ShellCall call) throws IOException, InterruptedException
    {
        if (!isOne(call.program()))
        {
            return null;
        }
        final Path script = ProjectFolder.ROOT.resolve(call.program());
        if (Files.isDirectory(script) || call.words().size() == 1 && call.program().contains("/target/"))
        {
            // No call, but a place.
            return null;
        }
        if (!Files.isExecutable(script))
        {
            return "no such script: " + call.program();
        }
        final List<String> arguments = call.words().subList(1, call.words().size());
        if (call.program().equals(RUNNER) && !arguments.isEmpty() && !arguments.get(0).startsWith("-"))
        {
            return ofRunner(arguments.get(0), arguments.subList(1, arguments.size()));
        }
        return call.program().startsWith("tests/") ?
            ofTests(call.program(), arguments) : ofMaven(call.program(), arguments);
    }

    private static String ofRunner(final String name, final List<String> arguments)
        throws IOException, InterruptedException
    {
        if (name.equals("NAME"))
        {
            // It stands for any.
            return null;
        }
        return Files.exists(ProjectFolder.ROOT.resolve("tests/runs").resolve(name + ".sh")) ?
            ofTests(RUNNER + " " + name, arguments) : "no such test or benchmark: " + RUNNER + " " + name;
    }

    private static String ofTests(final String program, final List<String> arguments)
        throws IOException, InterruptedException
    {
        final Iterator<String> rest = arguments.iterator();
        while (rest.hasNext())
        {
            final String word = rest.next();
            if (word.equals("--"))
            {
                // What follows is another's.
                return null;
            }
            if (word.equals("--select-class") || word.equals("--select-method"))
            {
                final String[] names = rest.hasNext() ? rest.next().split("#") : new String[]{""};
                if (!hasTest(names[0].replaceAll(".*\\.", ""), names.length > 1 ? names[1] : ""))
                {
                    return "no such test: " + String.join("#", names);
                }
            }
            else if (word.startsWith("-") && !word.equals("--help") &&
                !options(program).contains(" " + word.replaceAll("=.*", "") + " "))
            {
                return program + " --help does not know " + word;
            }
        }
        return null;
    }

    private static String ofMaven(final String program, final List<String> arguments) throws IOException
    {
        final Iterator<String> rest = arguments.iterator();
        while (rest.hasNext())
        {
            final String word = rest.next();
            if (word.startsWith("-Dtest="))
            {
                final String[] names = word.substring("-Dtest=".length()).split("#");
                if (!hasTest(names[0], names.length > 1 ? names[1] : ""))
                {
                    return "no such test: " + word;
                }
            }
            else if (word.equals("-pl") || word.equals("-f"))
            {
                final String file = rest.hasNext() ? rest.next() : "";
                final Path path = ProjectFolder.ROOT.resolve(file);
                if (file.isEmpty() || !Files.exists(word.equals("-f") ? path : path.resolve("pom.xml")))
                {
                    return "no such module or pom: " + word + " " + file;
                }
            }
            else if (word.startsWith("-P") &&
                !Files.readString(ProjectFolder.ROOT.resolve("pom.xml")).contains("<id>" + word.substring(2) + "</id>"))
            {
                return "no such profile: " + word;
            }
            else if (word.startsWith("-") && program.equals(".ci/run"))
            {
                return program + " takes no options: " + word;
            }
        }
        return null;
    }

    /** Whether there is a test class that has a method, or any if that is empty. */
    static boolean hasTest(final String className, final String method) throws IOException
    {
        if (className.equals("Class"))
        {
            return true;
        }
        for (final Path folder : ProjectFolder.testSources())
        {
            try (Stream<Path> files = Files.walk(folder))
            {
                final List<Path> found = new ArrayList<>(
                    files.filter(file -> file.getFileName().toString().equals(className + ".java")).toList());
                for (final Path file : found)
                {
                    if (Files.readString(file).contains(method.isEmpty() ? className : "void " + method + "("))
                    {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static String options(final String program) throws IOException, InterruptedException
    {
        String options = OPTIONS.get(program);
        if (options == null)
        {
            options = " " + printed(program).replaceAll("[^\\w-]+", " ") + " ";
            OPTIONS.put(program, options);
        }
        return options;
    }

    /** What a script prints for {@code --help}; the runner's name may be followed by that of what it runs. */
    static String printed(final String program) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of((program + " --help").split(" ")));
        command.set(0, ProjectFolder.ROOT.resolve(command.get(0)).toString());
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String help = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0)
        {
            throw new IllegalStateException(program + " --help: " + help);
        }
        return help;
    }
}
