package org.onesided.endtoend.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.onesided.testing.HangGuard;

/**
 * How much memory a server process has, once its garbage is collected, and how many threads.
 *
 * @param liveBytes   of objects in the Java heap.
 * @param nativeBytes that were asked for outside it, by direct buffers and raw memory.
 * @param threads     of its own: not those of the compilers and the collector, and not those that end by themselves.
 * @param residentKiB private memory that is resident.
 */
record Footprint(long liveBytes, long nativeBytes, long threads, long residentKiB)
{
    /** The last line of a class histogram: instances and bytes. */
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
    /** What libraries and direct buffers take, of the JVM's own accounts. */
    private static final Pattern OTHER = Pattern.compile("Other \\(reserved=\\d+KB, committed=(\\d+)KB\\)");

    static Footprint of(final long pid) throws IOException, InterruptedException
    {
        // The histogram is of what a full collection leaves.
        final long liveBytes = number(TOTAL, jcmd(pid, "GC.class_histogram"));
        final long nativeBytes = number(OTHER, jcmd(pid, "VM.native_memory", "summary", "scale=KB")) << 10;
        return new Footprint(liveBytes, nativeBytes, threads(pid), residentKiB(pid));
    }

    /** Whether there is no more than before, but for so much. */
    boolean isWithin(final Footprint before, final long roomBytes, final long residentRoomKiB)
    {
        return liveBytes <= before.liveBytes + roomBytes && nativeBytes <= before.nativeBytes + roomBytes &&
            threads <= before.threads && residentKiB <= before.residentKiB + residentRoomKiB;
    }

    private static long threads(final long pid) throws IOException
    {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task")))
        {
            return threads.filter(Footprint::isOfServer).count();
        }
    }

    private static boolean isOfServer(final Path thread)
    {
        try
        {
            final String name = Files.readString(thread.resolve("comm"));
            return Stream.of("store-", "shm-", "tcp-", "chaos").anyMatch(name::startsWith) &&
                !name.startsWith("store-connector");
        }
        catch (final IOException e)
        {
            // It ended meanwhile.
            return false;
        }
    }

    private static long residentKiB(final long pid) throws IOException
    {
        return number(Pattern.compile("RssAnon:\\s+(\\d+) kB"), Files.readString(Path.of("/proc/" + pid + "/status")));
    }

    private static long number(final Pattern pattern, final String text)
    {
        final Matcher matcher = pattern.matcher(text);
        if (!matcher.find())
        {
            throw new IllegalStateException("not found: pattern=" + pattern + " text=" + text);
        }
        return Long.parseLong(matcher.group(1));
    }

    private static String jcmd(final long pid, final String... arguments) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder(
            Stream.concat(
                Stream.of(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(pid)),
                Stream.of(arguments)).toList())
            .redirectErrorStream(true)
            .start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(HangGuard.seconds(60), TimeUnit.SECONDS) || process.exitValue() != 0)
        {
            throw new IOException("jcmd failed: arguments=" + List.of(arguments) + " output=" + output);
        }
        return output;
    }
}
