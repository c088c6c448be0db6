package org.onesided.verbs.ibv;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Errno;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.posix.Posix;

/**
 * A libibverbs whose structures are in memory of this process. Its first device can be opened; asynchronous events come
 * from a pipe. A test changes structures, or lets functions fail, before it opens the device.
 */
final class FakeLibrary implements AutoCloseable
{
    static final String NAME = "test0";

    private static final int MAX_DEVICES = 8;
    private static final long LIST_OFFSET = 0;
    private static final long FDS_OFFSET = 128;
    private static final long DEVICE_OFFSET = 256;
    private static final long DEVICE_LENGTH = 256;
    private static final long CONTEXT_OFFSET = DEVICE_OFFSET + MAX_DEVICES * DEVICE_LENGTH;
    private static final int LENGTH = 8192;

    private final NativeArray memory = new NativeArray(LENGTH);
    private final long base = memory.range().address();
    private final Map<String, Function<Object[], Object>> functions = new HashMap<>();
    private final List<String> called = new ArrayList<>();
    private final IbvLibrary library;
    private final List<String> names;
    private volatile int errno;
    private volatile byte portCount = 2;

    FakeLibrary()
    {
        this(List.of(NAME));
    }

    /**
     * @param names of the devices, at most 8.
     */
    FakeLibrary(final List<String> names)
    {
        this.names = names;
        final IbvCalls calls = (IbvCalls)Proxy.newProxyInstance(
            FakeLibrary.class.getClassLoader(),
            new Class<?>[]{ IbvCalls.class },
            (proxy, method, arguments) -> call(method, arguments));
        library = new IbvLibrary(calls, () -> errno);
        for (int i = 0; i < names.size(); i++)
        {
            UnsafeApi.putLong(base + LIST_OFFSET + (long)i * Long.BYTES, device(i));
            text(device(i) + DeviceDescriptor.NAME_OFFSET, names.get(i));
            text(device(i) + DeviceDescriptor.DEV_NAME_OFFSET, "uverbs-of-" + names.get(i));
            UnsafeApi.putInt(device(i) + DeviceDescriptor.NODE_TYPE_OFFSET, 1);
        }
        Posix.pipe(base + FDS_OFFSET);
        UnsafeApi.putLong(context() + ContextDescriptor.DEVICE_OFFSET, device());
        UnsafeApi.putInt(context() + ContextDescriptor.CMD_FD_OFFSET, UnsafeApi.getInt(base + FDS_OFFSET));
        UnsafeApi.putInt(context() + ContextDescriptor.ASYNC_FD_OFFSET, UnsafeApi.getInt(base + FDS_OFFSET));
        UnsafeApi.putInt(context() + ContextDescriptor.NUM_COMP_VECTORS_OFFSET, 2);
        final long function = executableAddress();
        for (final int offset : new int[]{
            ContextDescriptor.POLL_CQ_OFFSET, ContextDescriptor.REQ_NOTIFY_CQ_OFFSET,
            ContextDescriptor.POST_SRQ_RECV_OFFSET, ContextDescriptor.POST_SEND_OFFSET,
            ContextDescriptor.POST_RECV_OFFSET })
        {
            UnsafeApi.putLong(context() + offset, function);
        }
        on("ibv_get_device_list", (arguments) ->
        {
            UnsafeApi.putInt((Long)arguments[0], names.size());
            return base + LIST_OFFSET;
        });
        on("ibv_free_device_list", (arguments) -> null);
        on("ibv_get_device_name", (arguments) -> names.get((int)(((Long)arguments[0] - device()) / DEVICE_LENGTH)));
        on("ibv_open_device", (arguments) -> context());
        on("ibv_close_device", (arguments) -> 0);
        on("ibv_query_device", (arguments) -> attributes((Long)arguments[1]));
        on("ibv_get_async_event", (arguments) -> takeEvent((Long)arguments[1]));
        on("ibv_ack_async_event", (arguments) -> null);
    }

    IbvLibrary library()
    {
        return library;
    }

    /**
     * @return address of the first {@code ibv_device}.
     */
    long device()
    {
        return device(0);
    }

    /**
     * @param index of a device.
     * @return address of its {@code ibv_device}.
     */
    long device(final int index)
    {
        return base + DEVICE_OFFSET + index * DEVICE_LENGTH;
    }

    /**
     * @return address of the {@code ibv_context}.
     */
    long context()
    {
        return base + CONTEXT_OFFSET;
    }

    void on(final String name, final Function<Object[], Object> function)
    {
        functions.put(name, function);
    }

    void errno(final int value)
    {
        errno = value;
    }

    /**
     * @return how often a function was called.
     */
    synchronized int calls(final String name)
    {
        return (int)called.stream().filter(name::equals).count();
    }

    /**
     * Makes an event arrive.
     */
    void raise(final int type, final long element)
    {
        try (NativeArray event = new NativeArray(AsyncEventDescriptor.LENGTH))
        {
            final long address = event.range().address();
            UnsafeApi.putLong(address + AsyncEventDescriptor.ELEMENT_OFFSET, element);
            UnsafeApi.putInt(address + AsyncEventDescriptor.EVENT_TYPE_OFFSET, type);
            Posix.write(UnsafeApi.getInt(base + FDS_OFFSET + Integer.BYTES), address, AsyncEventDescriptor.LENGTH);
        }
    }

    /**
     * No asynchronous event can arrive any more, and poll(2) says so.
     */
    void hangUp()
    {
        Posix.close(UnsafeApi.getInt(base + FDS_OFFSET + Integer.BYTES));
        UnsafeApi.putInt(base + FDS_OFFSET + Integer.BYTES, -1);
    }

    @Override
    public void close()
    {
        Posix.close(UnsafeApi.getInt(base + FDS_OFFSET));
        Posix.close(UnsafeApi.getInt(base + FDS_OFFSET + Integer.BYTES));
        memory.close();
    }

    private Object call(final Method method, final Object[] arguments)
    {
        synchronized (this)
        {
            called.add(method.getName());
        }
        final Function<Object[], Object> function = functions.get(method.getName());
        if (function == null)
        {
            throw new UnsatisfiedLinkError(method.getName());
        }
        return function.apply(arguments);
    }

    private int takeEvent(final long address)
    {
        final long count = Posix.read(UnsafeApi.getInt(base + FDS_OFFSET), address, AsyncEventDescriptor.LENGTH);
        if (count == AsyncEventDescriptor.LENGTH)
        {
            return 0;
        }
        errno = Errno.EAGAIN;
        return -1;
    }

    /** How many ports the device is to have. */
    void portCount(final int count)
    {
        portCount = (byte)count;
    }

    private int attributes(final long address)
    {
        for (int offset = DeviceAttributesDescriptor.MAX_MR_SIZE_OFFSET;
            offset < DeviceAttributesDescriptor.MAX_PKEYS_OFFSET;
            offset += Integer.BYTES)
        {
            UnsafeApi.putInt(address + offset, offset);
        }
        UnsafeApi.putByte(address + DeviceAttributesDescriptor.PHYS_PORT_CNT_OFFSET, portCount);
        return 0;
    }

    static void text(final long address, final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < bytes.length; i++)
        {
            UnsafeApi.putByte(address + i, bytes[i]);
        }
        UnsafeApi.putByte(address + bytes.length, (byte)0);
    }

    private static long executableAddress()
    {
        try
        {
            for (final String line : Files.readAllLines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1))
            {
                if (line.contains(" r-xp "))
                {
                    return Long.parseUnsignedLong(line, 0, line.indexOf('-'), 16);
                }
            }
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException("cannot read this process' mappings", ex);
        }
        throw new IllegalStateException("nothing here may be executed");
    }
}
