package org.onesided.documentation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.onesided.testing.HangGuard;
import org.onesided.testing.ProjectFolder;

/**
 * Runs the commands of a page in their order, in a folder that has the files they take for granted, against the server
 * that the page starts, or one of the test's.
 */
final class PageRun implements AutoCloseable
{
    private static final Path FILES = Path.of("src/test/resources/org/onesided/documentation/files").toAbsolutePath();
    private static final Path RESULT =
        ProjectFolder.ROOT.resolve("tools/src/test/resources/org/onesided/tools/load/example.json");
    private static final Pattern END = Pattern.compile("\n?==end (\\d+)==\n");

    private final Path folder;
    private final Map<String, String> variables;
    private String server;
    private DocumentedServer ownServer;
    private int scripts;

    /**
     * @param folder an empty one.
     * @param gate   that kvctl goes through.
     * @param server of the test's, for pages that start none.
     */
    PageRun(final Path folder, final KvctlGate gate, final String server) throws IOException, InterruptedException
    {
        this.folder = folder;
        this.server = server;
        variables = gate.variables();
        gate.install(folder);
        try (Stream<Path> files = Files.walk(FILES))
        {
            for (final Path file : files.filter(Files::isRegularFile).toList())
            {
                final Path copy = folder.resolve(FILES.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        try (GZIPOutputStream zipped = new GZIPOutputStream(
            Files.newOutputStream(folder.resolve("pairs.jsonl.gz"))))
        {
            zipped.write("{\"key\":\"zipped\",\"value\":\"yes\"}\n".getBytes(UTF_8));
        }
        Files.copy(RESULT, folder.resolve("before.json"));
        Files.copy(RESULT, folder.resolve("after.json"), StandardCopyOption.REPLACE_EXISTING);
        for (final String program : List.of("dpkg-query"))
        {
            if (bash("command -v " + program).exitCode() != 0)
            {
                final Path standIn = Files.writeString(
                    folder.resolve(program), "#!/bin/sh\nprintf 'redis-tools\\t5:7.0.15\\nzlib1g\\t1:1.2.13\\n'\n");
                Files.setPosixFilePermissions(standIn, PosixFilePermissions.fromString("rwx------"));
            }
        }
    }

    /** What a page does not say, for what it asks for is there elsewhere. */
    void prepare(final String script) throws IOException, InterruptedException
    {
        final Printed printed = bash(script);
        if (printed.exitCode() != 0)
        {
            throw new IllegalStateException(script + ": " + printed.text());
        }
    }

    /** Runs commands of one block; gives what is wrong with each that is not as shown. */
    List<String> run(final List<ShownCommand> commands) throws IOException, InterruptedException
    {
        final List<String> complaints = new ArrayList<>();
        final List<ShownCommand> script = new ArrayList<>();
        for (final ShownCommand command : commands)
        {
            final List<ShellCall> calls = command.calls();
            if (calls.size() == 1 && calls.get(0).isKvctl() && calls.get(0).words().get(1).equals("server"))
            {
                stopServer();
                ownServer = new DocumentedServer(folder, calls.get(0).kvctlArguments());
                server = ownServer.address() == null ? server : ownServer.address();
                compare(command, ownServer.printed(), complaints);
            }
            else
            {
                script.add(command);
            }
        }
        if (!script.isEmpty())
        {
            runScript(script, complaints);
        }
        return complaints;
    }

    @Override
    public void close()
    {
        stopServer();
    }

    private void stopServer()
    {
        if (ownServer != null)
        {
            ownServer.close();
        }
    }

    private void runScript(final List<ShownCommand> commands, final List<String> complaints)
        throws IOException, InterruptedException
    {
        final StringBuilder script = new StringBuilder("exec 2>&1\n");
        for (final ShownCommand command : commands)
        {
            // The lines typed are put where a call of the shell ends.
            script.append(command.typed().isEmpty() ?
                command.text() :
                ShellCall.withoutComments(command.text()) + " <<'TYPED'\n" +
                    command.typed().stream().map(line -> line + "\n").collect(Collectors.joining()) + "TYPED");
            script.append("\nstatus=$?; printf '\\n==end %d==\\n' $status; (exit $status)\n");
        }
        final String printed = bash(script.toString()).text();
        final Matcher end = END.matcher(printed);
        int from = 0;
        for (int i = 0; i < commands.size(); i++)
        {
            final ShownCommand command = commands.get(i);
            if (!end.find())
            {
                complaints.add(command.place() + "\n  never ended: " + printed.substring(from));
                return;
            }
            final List<String> lines = printed.substring(from, end.start()).lines().toList();
            from = end.end();
            compare(command, lines, complaints);
            final boolean isAsked = i + 1 < commands.size() && commands.get(i + 1).asksForExitCode();
            if (!end.group(1).equals("0") && !isAsked && command.output().isEmpty())
            {
                complaints.add(command.place() + "\n  exit code: " + end.group(1) + " " + lines);
            }
        }
    }

    private static void compare(
        final ShownCommand command, final List<String> printed, final List<String> complaints)
    {
        // Where nothing is shown, the page does not care.
        final boolean isShown = command.asksForExitCode() ?
            command.output().equals(printed) : LooseText.matches(command.output(), printed);
        if (!command.output().isEmpty() && !isShown)
        {
            complaints.add(command.place() + "\n  shown:\n" + String.join("\n", command.output()) + "\n  printed:\n" +
                String.join("\n", printed));
        }
    }

    private Printed bash(final String script) throws IOException, InterruptedException
    {
        final Path file = Files.writeString(folder.resolve("script-" + ++scripts), script);
        final Path output = folder.resolve("output-" + scripts);
        final ProcessBuilder builder = new ProcessBuilder("bash", file.toString())
            .directory(folder.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("KVCTL_"));
        builder.environment().putAll(variables);
        builder.environment().put("KVCTL_SERVER", server);
        builder.environment().put("KVCTL_DEVICE", "shm");
        builder.environment().put("KVCTL_DEADLINE", HangGuard.seconds(60) + "s");
        builder.environment().merge("PATH", folder.toString(), (path, own) -> own + ":" + path);
        final Process process = builder.start();
        try
        {
            if (!process.waitFor(HangGuard.seconds(240), TimeUnit.SECONDS))
            {
                throw new IllegalStateException("does not end: " + script + ": " + Files.readString(output));
            }
        }
        finally
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Printed(process.exitValue(), Files.readString(output));
    }

    private record Printed(int exitCode, String text)
    {
    }
}
