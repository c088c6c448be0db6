package org.onesided.documentation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.onesided.testing.HangGuard;
import org.onesided.testing.ProjectFolder;

/**
 * A {@code kvctl server} of a page, started by the project's launcher, but on a free port and with little memory.
 */
final class DocumentedServer implements AutoCloseable
{
    private static final Pattern READY = Pattern.compile("ready: (\\S+) .*");

    private final Process process;
    private final List<String> printed;
    private final String address;

    /**
     * @param folder    where it runs.
     * @param arguments of kvctl.
     */
    DocumentedServer(final Path folder, final List<String> arguments) throws IOException, InterruptedException
    {
        this(ProjectFolder.ROOT.resolve("kvctl"), folder, arguments);
    }

    /**
     * @param launcher  of kvctl.
     * @param folder    where it runs.
     * @param arguments of kvctl.
     */
    DocumentedServer(final Path launcher, final Path folder, final List<String> arguments)
        throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(KvctlGate.shortened(arguments));
        final ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        final Path log = Files.createTempFile(folder, "server", ".log");
        builder.redirectError(log.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("KVCTL_"));
        builder.environment().put("KVCTL_BUILD", "no");
        builder.environment().put("KVCTL_JAVA_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        builder.environment().put("KVCTL_DEVICE", "shm");
        builder.environment().put("KVCTL_SERVER_LISTEN", "127.0.0.1:0");
        builder.environment().put("KVCTL_SERVER_HUGE_PAGES", "off");
        builder.environment().put("KVCTL_SERVER_HANDSHAKE_TIMEOUT", HangGuard.seconds(60) + "s");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        process = builder.start();
        final String line = process.inputReader(UTF_8).readLine();
        if (line == null)
        {
            process.waitFor();
        }
        printed = line == null ? Files.readAllLines(log) : List.of(line);
        final Matcher ready = READY.matcher(printed.isEmpty() ? "" : printed.get(0));
        address = ready.matches() ? ready.group(1) : null;
    }

    /** Where it listens, null if it did not start. */
    String address()
    {
        return address;
    }

    /** The ready line, or why there is none. */
    List<String> printed()
    {
        return printed;
    }

    @Override
    public void close()
    {
        process.toHandle().destroy();
        try
        {
            if (!process.waitFor(HangGuard.seconds(60), TimeUnit.SECONDS))
            {
                throw new IllegalStateException("the server does not stop");
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        finally
        {
            process.destroyForcibly();
        }
    }
}
