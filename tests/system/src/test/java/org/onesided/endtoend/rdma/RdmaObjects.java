package org.onesided.endtoend.rdma;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the kernel has of an RDMA device, and the network interface below it.
 */
final class RdmaObjects
{
    private static final Path DEVICES = Path.of("/sys/class/infiniband");

    private RdmaObjects()
    {
    }

    /** Objects of a type that processes hold ({@code rdma resource show}): {@code qp}, {@code mr}, {@code cq}. */
    static int count(final String device, final String type) throws IOException
    {
        final String line = run("rdma", "resource", "show", device);
        final Matcher count = Pattern.compile("\\b" + type + " (\\d+)").matcher(line);
        if (!count.find())
        {
            throw new IOException("cannot be understood: " + line);
        }
        return Integer.parseInt(count.group(1));
    }

    /** Takes the interface of a device down, or up again with the addresses that it had. */
    static void link(final String device, final boolean isUp) throws IOException
    {
        final Path names = DEVICES.resolve(device).resolve("ports/1/gid_attrs/ndevs");
        final String name = Files.readString(isUp ? savedName(device) : names.resolve("0")).strip();
        if (!isUp)
        {
            Files.writeString(savedName(device), name);
            Files.writeString(Path.of("/proc/sys/net/ipv6/conf", name, "keep_addr_on_down"), "1");
        }
        run("ip", "link", "set", name, isUp ? "up" : "down");
    }

    private static Path savedName(final String device)
    {
        return Path.of(System.getProperty("java.io.tmpdir"), "interface-of-" + device);
    }

    private static String run(final String... command) throws IOException
    {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        try
        {
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0)
            {
                throw new IOException(List.of(command) + " failed: " + output);
            }
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
        return output;
    }
}
