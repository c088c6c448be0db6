package org.onesided.tools.machine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Finds the process of a server on this host by its port, and measures its processor time.
 */
public final class LocalServer
{
    private static final long UNKNOWN = -1;
    private static final String LISTEN = "0A";
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

    private LocalServer()
    {
    }

    /**
     * Finds the processes of servers.
     *
     * @param addresses host and port of a server; of several, with commas between them.
     * @return supplier of their processor time in nanoseconds; -1 if one is on another host, belongs to another user,
     *         or has ended.
     */
    public static LongSupplier processorTimeNs(final String addresses)
    {
        final List<LongSupplier> each = Stream.of(addresses.split(",")).map(LocalServer::ofOne).toList();
        return () -> each.stream().mapToLong(LongSupplier::getAsLong)
            .reduce(0, (sum, timeNs) -> sum == UNKNOWN || timeNs == UNKNOWN ? UNKNOWN : sum + timeNs);
    }

    private static LongSupplier ofOne(final String address)
    {
        final long pid = pid(address);
        if (pid == UNKNOWN)
        {
            return () -> UNKNOWN;
        }
        final ProcessorTime time = new ProcessorTime(pid);
        return () -> lookNs(time);
    }

    /** The process that listens on an address of this host; -1 for none. */
    static long pid(final String address)
    {
        final int colon = address.lastIndexOf(':');
        try
        {
            final String host = address.substring(0, colon).replace("[", "").replace("]", "");
            return isLocal(InetAddress.getByName(host)) ? owner(sockets(address.substring(colon + 1))) : UNKNOWN;
        }
        catch (final IOException | RuntimeException e)
        {
            // Unknown here, but the rest of the result is still useful.
            return UNKNOWN;
        }
    }

    private static boolean isLocal(final InetAddress address) throws IOException
    {
        return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    }

    private static long lookNs(final ProcessorTime time)
    {
        try
        {
            return time.lookNs();
        }
        catch (final IOException e)
        {
            return UNKNOWN;
        }
    }

    private static Set<String> sockets(final String port) throws IOException
    {
        final String suffix = String.format(Locale.ROOT, ":%04X", Integer.parseInt(port));
        final Set<String> sockets = new HashSet<>();
        for (final Path table : TABLES)
        {
            if (Files.exists(table))
            {
                for (final String line : Files.readAllLines(table))
                {
                    // Number, local and remote address, state, queues, timer, retransmits, user, timeout, inode.
                    final String[] words = line.trim().split("\\s+");
                    if (words.length > 9 && words[1].endsWith(suffix) && words[3].equals(LISTEN))
                    {
                        sockets.add("socket:[" + words[9] + ']');
                    }
                }
            }
        }
        return sockets;
    }

    private static long owner(final Set<String> sockets) throws IOException
    {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*"))
        {
            for (final Path process : processes)
            {
                if (!sockets.isEmpty() && holds(process, sockets))
                {
                    return Long.parseLong(process.getFileName().toString());
                }
            }
        }
        return UNKNOWN;
    }

    private static boolean holds(final Path process, final Set<String> sockets)
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd")))
        {
            for (final Path file : files)
            {
                if (Files.isSymbolicLink(file) && sockets.contains(Files.readSymbolicLink(file).toString()))
                {
                    return true;
                }
            }
            return false;
        }
        catch (final IOException | DirectoryIteratorException e)
        {
            // Another user's process, or one that has ended.
            return false;
        }
    }
}
