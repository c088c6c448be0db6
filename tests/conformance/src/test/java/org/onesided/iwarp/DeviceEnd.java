package org.onesided.iwarp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.onesided.testing.Closers;
import org.onesided.verbs.Access;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Devices;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.PathChoice;
import org.onesided.verbs.ProtectionDomain;

/**
 * A context of the device, with one region that peers may READ and WRITE, in the middle of memory whose rest must never
 * change nor leak.
 */
final class DeviceEnd implements AutoCloseable
{
    /** Bytes on either side of the region. */
    static final int MARGIN = 64 << 10;
    private static final int RETRIES = 7;
    private static final byte CANARY = (byte)0xC5;
    private static final int LONGEST = 2 << 20;
    private static final byte[] PATTERN = newPattern();

    final Context context;
    final ProtectionDomain domain;
    final ConnectionOptions options;
    final MemoryRegion region;
    final int length;
    private final DeviceMemory memory;
    private final Closers closers = new Closers();

    DeviceEnd(final String device, final int length)
    {
        this(device, length, Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE);
    }

    /**
     * @param access of the region.
     */
    DeviceEnd(final String device, final int length, final int access)
    {
        this.length = length;
        boolean isReady = false;
        try
        {
            context = add(Devices.find(device).open());
            // Peers here say what tests want, when tests get round to it: they are not to be asked, nor given up.
            options = PathChoice.resolve(
                context, ConnectionOptions.defaults(Access.REMOTE_READ | Access.REMOTE_WRITE)).timeout(0, RETRIES);
            domain = add(context.allocateProtectionDomain());
            memory = add(context.allocate(length + 2L * MARGIN));
            UnsafeApi.setMemory(memory.range().address(), length + 2L * MARGIN, CANARY);
            put(0, pattern(0, length));
            region = add(domain.register(memory.range().slice(MARGIN, length), access));
            isReady = true;
        }
        finally
        {
            if (!isReady)
            {
                close();
            }
        }
    }

    /** A region of its own over a part of the memory. */
    MemoryRegion register(final ProtectionDomain owner, final int offset, final int ofLength, final int access)
    {
        return add(owner.register(memory.range().slice(MARGIN + offset, ofLength), access));
    }

    <T extends AutoCloseable> T add(final T closeable)
    {
        return closers.add(closeable);
    }

    /** The listening TCP port. */
    int port()
    {
        return context.queryPort(options.port()).lid();
    }

    long address(final long offset)
    {
        return memory.range().address() + MARGIN + offset;
    }

    private static byte[] newPattern()
    {
        final byte[] bytes = new byte[LONGEST];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = (byte)(i * 31 + (i >>> 8) * 7 + 1);
        }
        return bytes;
    }

    static byte[] pattern(final int offset, final int length)
    {
        return Arrays.copyOfRange(PATTERN, offset, offset + length);
    }

    private void put(final long offset, final byte[] bytes)
    {
        UnsafeApi.copyMemory(bytes, BufferUtil.ARRAY_BASE_OFFSET, null, address(offset), bytes.length);
    }

    byte[] bytes(final long offset, final int ofLength)
    {
        final byte[] bytes = new byte[ofLength];
        UnsafeApi.copyMemory(null, address(offset), bytes, BufferUtil.ARRAY_BASE_OFFSET, ofLength);
        return bytes;
    }

    /** Nothing around the region was touched. */
    void checkMargins()
    {
        checkMargins(MARGIN);
    }

    /** The nearest bytes around the region were not touched. */
    void checkMargins(final int distance)
    {
        final byte[] canaries = new byte[distance];
        Arrays.fill(canaries, CANARY);
        assertTrue(Arrays.equals(canaries, bytes(-distance, distance)), "written before the region");
        assertTrue(Arrays.equals(canaries, bytes(length, distance)), "written behind the region");
    }

    /** The region holds what it held at first, but for what is excepted. */
    void checkUntouched(final int from, final int to)
    {
        final int equal = Arrays.mismatch(bytes(from, to - from), pattern(from, to - from));
        assertEquals(-1, equal, "changed: offset=" + (from + equal));
    }

    long counter(final String name)
    {
        return counters().getOrDefault(name, 0L);
    }

    Map<String, Long> counters()
    {
        return context.queryCounters(options.port());
    }

    @Override
    public void close()
    {
        closers.close();
    }
}
