package org.onesided.verbs.ibv;

import static org.onesided.verbs.ibv.AttributeReader.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.UnsafeApi;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * Checks the layout of libibverbs' structures against a second source, where there is one. A library with another
 * layout is refused before any of its data is used.
 */
final class LayoutCheck
{
    private static final Path SELF = Path.of("/proc/self");
    private static final String OPEN_DEVICE = "open_device";
    private static final int MAX_VECTORS = 1 << 16;

    private LayoutCheck()
    {
    }

    /**
     * @param device address of an {@code ibv_device}.
     * @param name   its name, from the library.
     * @param kernel finds the device of a device file.
     * @throws VerbsException with {@code EOPNOTSUPP} if the layout differs.
     */
    static void device(final long device, final String name, final Sysfs kernel)
    {
        final String found = text(device + DeviceDescriptor.NAME_OFFSET, DeviceDescriptor.NAME_LENGTH);
        if (!found.equals(name))
        {
            throw MadeCheck.refused(OPEN_DEVICE, "ibv_device.name", found, name);
        }
        final String file = text(device + DeviceDescriptor.DEV_NAME_OFFSET, DeviceDescriptor.NAME_LENGTH);
        final String behind = kernel.rdmaDeviceOf(file);
        if (!behind.isEmpty() && !behind.equals(name))
        {
            throw MadeCheck.refused(OPEN_DEVICE, "ibv_device.dev_name", file + ", which is " + behind, name);
        }
    }

    /**
     * @param context address of an {@code ibv_context}.
     * @param device  address of the {@code ibv_device} it was opened from.
     * @param kernel  returns the number of the device file.
     * @throws VerbsException with {@code EOPNOTSUPP} if it does not look so.
     */
    static void context(final long context, final long device, final Sysfs kernel)
    {
        new MadeCheck(OPEN_DEVICE, context)
            .address("ibv_context.device", ContextDescriptor.DEVICE_OFFSET, device)
            .number("ibv_context.num_comp_vectors", ContextDescriptor.NUM_COMP_VECTORS_OFFSET, 1, MAX_VECTORS)
            .orUndo(() -> 0);
        final String file = text(device + DeviceDescriptor.DEV_NAME_OFFSET, DeviceDescriptor.NAME_LENGTH);
        final String opened =
            deviceNumber("ibv_context.cmd_fd", UnsafeApi.getInt(context + ContextDescriptor.CMD_FD_OFFSET));
        final String expected = kernel.numberOf(file);
        if (!expected.isEmpty() && !opened.equals(expected))
        {
            throw MadeCheck.refused(OPEN_DEVICE, "ibv_context.cmd_fd", "device file " + opened, expected + ", " + file);
        }
        deviceNumber("ibv_context.async_fd", UnsafeApi.getInt(context + ContextDescriptor.ASYNC_FD_OFFSET));
        final List<String> mappings = lines(SELF.resolve("maps"));
        function(mappings, "poll_cq", context + ContextDescriptor.POLL_CQ_OFFSET);
        function(mappings, "req_notify_cq", context + ContextDescriptor.REQ_NOTIFY_CQ_OFFSET);
        function(mappings, "post_srq_recv", context + ContextDescriptor.POST_SRQ_RECV_OFFSET);
        function(mappings, "post_send", context + ContextDescriptor.POST_SEND_OFFSET);
        function(mappings, "post_recv", context + ContextDescriptor.POST_RECV_OFFSET);
    }

    /**
     * @param attributes of an open device.
     * @throws VerbsException with {@code EOPNOTSUPP} if they cannot be a device's.
     */
    static void attributes(final DeviceAttributes attributes)
    {
        positive("ibv_device_attr.max_mr_size", attributes.maxMemoryRegionLength());
        positive("ibv_device_attr.max_qp", attributes.maxQueuePairs());
        positive("ibv_device_attr.max_qp_wr", attributes.maxWorkRequests());
        positive("ibv_device_attr.max_sge", attributes.maxScatterGather());
        positive("ibv_device_attr.max_cqe", attributes.maxCompletions());
        positive("ibv_device_attr.phys_port_cnt", attributes.portCount());
    }

    /**
     * @param mappings of memory, as /proc/self/maps lists them.
     * @param address  of something.
     * @return whether it is in a mapping that may be executed.
     */
    static boolean isExecutable(final List<String> mappings, final long address)
    {
        for (final String mapping : mappings)
        {
            final int dash = mapping.indexOf('-');
            final int space = mapping.indexOf(' ');
            if (dash > 0 && space > dash && mapping.length() > space + 3 && mapping.charAt(space + 3) == 'x' &&
                Long.compareUnsigned(address, Long.parseUnsignedLong(mapping, 0, dash, 16)) >= 0 &&
                Long.compareUnsigned(address, Long.parseUnsignedLong(mapping, dash + 1, space, 16)) < 0)
            {
                return true;
            }
        }
        return false;
    }

    private static void positive(final String field, final long found)
    {
        if (found <= 0)
        {
            throw MadeCheck.refused(OPEN_DEVICE, field, found, "at least 1");
        }
    }

    private static void function(final List<String> mappings, final String name, final long address)
    {
        final long function = UnsafeApi.getLong(address);
        if (!isExecutable(mappings, function))
        {
            throw MadeCheck.refused(
                OPEN_DEVICE, "ibv_context.ops." + name, "0x" + Long.toHexString(function), "a function's address");
        }
    }

    /** Fails if the file descriptor is not open. The device number is meaningful for device files only. */
    private static String deviceNumber(final String field, final int fd)
    {
        try
        {
            final long number =
                (Long)Files.getAttribute(SELF.resolve("fd").resolve(Integer.toString(fd)), "unix:rdev");
            final long major = number >>> 8 & 0xFFF | number >>> 32 & 0xFFFF_F000L;
            final long minor = number & 0xFF | number >>> 12 & 0xFFFF_FF00L;
            return major + ":" + minor;
        }
        catch (final IOException ex)
        {
            throw MadeCheck.refused(OPEN_DEVICE, field, fd, "an open file descriptor");
        }
    }

    private static List<String> lines(final Path file)
    {
        try
        {
            return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        }
        catch (final IOException ex)
        {
            throw new VerbsException(OPEN_DEVICE, Errno.EIO, "cannot read this process' mappings: file=" + file, ex);
        }
    }
}
