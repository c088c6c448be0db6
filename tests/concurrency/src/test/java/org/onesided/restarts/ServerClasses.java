package org.onesided.restarts;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.onesided.client.StoreClient;
import org.onesided.testing.HangGuard;
import org.onesided.testing.JavaCommand;
import org.onesided.testing.KvctlCommand;

/**
 * What Java starts a server with where it is slow: loading and verifying classes is most of what a start costs under
 * emulation, and an archive of them, made here, saves most of that.
 *
 * @param classPath of the server.
 * @param options   of Java.
 */
record ServerClasses(String classPath, List<String> options)
{
    /**
     * One compiler only: where HotSpot goes from one compiler's code to the other's, it patches code that may be
     * running, and qemu's emulation can run it half patched.
     */
    private static final List<String> SLOW_MACHINE = List.of(
        "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xlog:disable",
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=info");
    private static final String TESTS = File.separator + "test-classes";
    private static final Pattern READY = Pattern.compile("ready: (\\S+) .*");
    private static final long SECONDS = 60;

    /** Makes the archive in a folder, from a server that runs for a moment. */
    static ServerClasses archived(final Path folder) throws IOException
    {
        final List<String> paths = new ArrayList<>();
        for (final String path : System.getProperty("java.class.path").split(File.pathSeparator))
        {
            if (!path.endsWith(TESTS))
            {
                // Java archives no classes of folders, such as those that a bug was planted in.
                paths.add(Files.isDirectory(Path.of(path)) ? pack(path, folder, paths.size()) : path);
            }
        }
        final String classPath = String.join(File.pathSeparator, paths);
        final Path archive = folder.resolve("classes.jsa");
        make(archive, classPath, folder);
        final List<String> options = new ArrayList<>(SLOW_MACHINE);
        if (Files.exists(archive))
        {
            options.add("-XX:SharedArchiveFile=" + archive);
        }
        return new ServerClasses(classPath, options);
    }

    private static String pack(final String classes, final Path folder, final int number) throws IOException
    {
        final String jar = folder.resolve(number + ".jar").toString();
        final int exitCode = ToolProvider.findFirst("jar").orElseThrow().run(
            System.out, System.err, "--create", "--no-compress", "--file", jar, "-C", classes, ".");
        if (exitCode != 0)
        {
            throw new IOException("classes cannot be packed: exitCode=" + exitCode + " classes=" + classes);
        }
        return jar;
    }

    private static void make(final Path archive, final String classPath, final Path folder) throws IOException
    {
        final List<String> options = new ArrayList<>(SLOW_MACHINE);
        options.add("-XX:ArchiveClassesAtExit=" + archive);
        final List<String> server = List.of("server", "--listen", "127.0.0.1:0", "--device", "tcp", "--data",
            folder.resolve("archived").toString());
        final Process process = new ProcessBuilder(JavaCommand.of(options, classPath, KvctlCommand.MAIN_CLASS, server))
            .redirectError(folder.resolve("archive.log").toFile())
            .start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8))
        {
            final Matcher ready = READY.matcher(String.valueOf(output.readLine()));
            if (ready.matches())
            {
                try (StoreClient client = StoreClient.builder().server(ready.group(1)).build())
                {
                    client.put("key", "value");
                }
            }
            process.destroy();
            if (!process.waitFor(HangGuard.seconds(SECONDS), TimeUnit.SECONDS))
            {
                throw new IOException("server does not end: pid=" + process.pid());
            }
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
        finally
        {
            process.destroyForcibly();
        }
    }
}
