package org.onesided.tools.load.output;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Where the load ran.
 *
 * @param host        name of the host.
 * @param os          kernel and its version.
 * @param cpu         the processor's name, empty if it is not told.
 * @param cores       that Java may use.
 * @param memoryBytes of the machine in bytes, -1 if it is not told.
 * @param java        version and maker of Java.
 */
public record Machine(String host, String os, String cpu, int cores, long memoryBytes, String java)
{
    private static final String UNKNOWN = "";

    /**
     * @return this machine.
     */
    public static Machine ofThisOne()
    {
        final String memory = line(Path.of("/proc/meminfo"), "MemTotal").replaceAll("\\D", "");
        return new Machine(
            hostName(),
            System.getProperty("os.name") + " " + System.getProperty("os.version") + " " +
                System.getProperty("os.arch"),
            line(Path.of("/proc/cpuinfo"), "model name"),
            Runtime.getRuntime().availableProcessors(),
            memory.isEmpty() ? -1 : Long.parseLong(memory) << 10,
            System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")");
    }

    private static String hostName()
    {
        try
        {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
        }
        catch (final IOException e)
        {
            return addressName();
        }
    }

    private static String addressName()
    {
        try
        {
            return InetAddress.getLocalHost().getHostName();
        }
        catch (final UnknownHostException e)
        {
            return UNKNOWN;
        }
    }

    /** What follows a name in a file of names and values. */
    private static String line(final Path file, final String name)
    {
        try (Stream<String> lines = Files.lines(file))
        {
            return lines.filter(line -> line.startsWith(name))
                .findFirst()
                .map(line -> line.substring(line.indexOf(':') + 1).trim())
                .orElse(UNKNOWN);
        }
        catch (final IOException e)
        {
            return UNKNOWN;
        }
    }
}
