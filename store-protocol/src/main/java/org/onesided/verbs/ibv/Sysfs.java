package org.onesided.verbs.ibv;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The kernel's files about devices and network interfaces. Unreadable values are unknown, not errors: a file may belong
 * to another network namespace or kernel version.
 */
final class Sysfs
{
    /** Root of the kernel's files. */
    static final Sysfs KERNEL = new Sysfs(Path.of("/sys/class"));

    private static final int IFF_UP = 1;
    private static final String ACTIVE = ": ACTIVE";

    private final Path root;

    /**
     * @param root directory of the classes of devices.
     */
    Sysfs(final Path root)
    {
        this.root = root;
    }

    /**
     * @return names of the RDMA devices that the kernel has, sorted; a library without the driver does not list them.
     */
    List<String> rdmaDevices()
    {
        return names("infiniband");
    }

    /**
     * @param deviceFile such as {@code uverbs0}.
     * @return name of the RDMA device behind it; empty if unknown.
     */
    String rdmaDeviceOf(final String deviceFile)
    {
        return read(root.resolve("infiniband_verbs").resolve(deviceFile).resolve("ibdev"));
    }

    /**
     * @param device name of the RDMA device.
     * @return name of its device file, such as {@code uverbs0}; empty if unknown.
     */
    String deviceFileOf(final String device)
    {
        for (final String file : names("infiniband_verbs"))
        {
            if (device.equals(rdmaDeviceOf(file)))
            {
                return file;
            }
        }
        return "";
    }

    /**
     * @param deviceFile such as {@code uverbs0}.
     * @return its number, {@code major:minor}; empty if unknown.
     */
    String numberOf(final String deviceFile)
    {
        return read(root.resolve("infiniband_verbs").resolve(deviceFile).resolve("dev"));
    }

    /**
     * @param device name of the RDMA device.
     * @param port   number, from 1.
     * @param index  into the GID table.
     * @return type of the GID as the kernel writes it, {@code IB/RoCE v1} or {@code RoCE v2}; empty if unknown.
     */
    String gidType(final String device, final int port, final int index)
    {
        return read(gidAttribute(device, port, "types", index));
    }

    /**
     * @param device name of the RDMA device.
     * @param port   number, from 1.
     * @param index  into the GID table.
     * @return network interface of the GID; empty if unknown or none.
     */
    String gidInterface(final String device, final int port, final int index)
    {
        return read(gidAttribute(device, port, "ndevs", index));
    }

    /**
     * @param number of a network interface.
     * @return its name; empty if this network namespace has no such one.
     */
    String interfaceName(final int number)
    {
        for (final String name : names("net"))
        {
            if (Integer.toString(number).equals(read(root.resolve("net").resolve(name).resolve("ifindex"))))
            {
                return name;
            }
        }
        return "";
    }

    /**
     * @param name of a network interface.
     * @return whether it can carry traffic; true if unknown.
     */
    boolean isInterfaceUp(final String name)
    {
        if (name.isEmpty())
        {
            return true;
        }
        final Path directory = root.resolve("net").resolve(name);
        final String flags = read(directory.resolve("flags"));
        if (flags.startsWith("0x") && (Integer.parseUnsignedInt(flags, 2, flags.length(), 16) & IFF_UP) == 0)
        {
            return false;
        }
        // A driver that does not report the state leaves it "unknown".
        return switch (read(directory.resolve("operstate")))
        {
            case "down", "lowerlayerdown", "notpresent" -> false;
            default -> true;
        };
    }

    /**
     * @param device name of the RDMA device.
     * @return whether one of its ports can carry traffic.
     */
    boolean hasActivePort(final String device)
    {
        return portStates(device).stream().anyMatch((state) -> state.endsWith(ACTIVE));
    }

    /**
     * @param device name of the RDMA device.
     * @return its ports with their states, such as {@code port 1: ACTIVE}.
     */
    List<String> portStates(final String device)
    {
        final List<String> states = new ArrayList<>();
        for (final String port : names("infiniband/" + device + "/ports"))
        {
            final String state = read(root.resolve("infiniband").resolve(device).resolve("ports").resolve(port)
                .resolve("state"));
            // The kernel writes "4: ACTIVE".
            states.add("port " + port + state.substring(Math.max(0, state.indexOf(':'))));
        }
        return states;
    }

    /**
     * @param device name of the RDMA device.
     * @param port   number, from 1.
     * @return counters that the standard and the driver know of; none if unknown.
     */
    Map<String, Long> counters(final String device, final int port)
    {
        final Map<String, Long> counters = new TreeMap<>();
        for (final String kind : List.of("counters", "hw_counters"))
        {
            final String directory = "infiniband/" + device + "/ports/" + port + "/" + kind;
            for (final String name : names(directory))
            {
                try
                {
                    counters.put(name, Long.parseLong(read(root.resolve(directory).resolve(name))));
                }
                catch (final NumberFormatException e)
                {
                    // No counter, such as the "lifespan" of those of some drivers, or one that cannot be read.
                    continue;
                }
            }
        }
        return counters;
    }

    private Path gidAttribute(final String device, final int port, final String attribute, final int index)
    {
        return root.resolve("infiniband").resolve(device).resolve("ports").resolve(Integer.toString(port))
            .resolve("gid_attrs").resolve(attribute).resolve(Integer.toString(index));
    }

    private List<String> names(final String kind)
    {
        final List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve(kind)))
        {
            entries.forEach((entry) -> names.add(entry.getFileName().toString()));
        }
        catch (final IOException ex)
        {
            return List.of();
        }
        names.sort(null);
        return names;
    }

    private static String read(final Path file)
    {
        try
        {
            return Files.readString(file, StandardCharsets.ISO_8859_1).trim();
        }
        catch (final IOException ex)
        {
            return "";
        }
    }
}
