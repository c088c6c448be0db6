package org.onesided.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.LastError;
import com.kenai.jffi.Library;
import com.kenai.jffi.Type;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.agrona.BufferUtil;

/**
 * Receives datagrams at a Unix socket, as a service manager does. For one thread.
 */
public final class DatagramReceiver implements AutoCloseable
{
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x8_0000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;
    private static final int MAX_LENGTH = 64 << 10;
    private static final long PATIENCE_S = HangGuard.seconds(120);

    private final ByteBuffer buffer = direct(MAX_LENGTH);
    private final int fd;

    private DatagramReceiver(final int fd)
    {
        this.fd = fd;
    }

    /**
     * @param address path of the socket to make, or {@code @NAME}.
     * @return a receiver; the caller closes it.
     */
    public static DatagramReceiver at(final String address)
    {
        final int fd = (int)call("socket", AF_UNIX, SOCK_DGRAM_CLOEXEC, 0);
        final byte[] text = address.getBytes(UTF_8);
        final ByteBuffer name = direct(Short.BYTES + text.length + (address.startsWith("@") ? 0 : 1));
        name.putShort(0, (short)AF_UNIX).put(Short.BYTES, text);
        if (address.startsWith("@"))
        {
            name.put(Short.BYTES, (byte)0);
        }
        final ByteBuffer second = direct(2 * Long.BYTES);
        second.putLong(0, 1);
        try
        {
            call("bind", fd, BufferUtil.address(name), name.capacity());
            call("setsockopt", fd, SOL_SOCKET, SO_RCVTIMEO, BufferUtil.address(second), second.capacity());
        }
        catch (final IllegalStateException e)
        {
            call("close", fd);
            throw e;
        }
        return new DatagramReceiver(fd);
    }

    /**
     * @return the next datagram; fails if none comes.
     */
    public String receive()
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (System.nanoTime() - deadlineNs < 0)
        {
            final String message = tryReceive();
            if (message != null)
            {
                return message;
            }
        }
        throw new AssertionError("no datagram came within " + PATIENCE_S + " s");
    }

    /**
     * @param last says whether a datagram is the last one to wait for.
     * @return all up to that one; fails if it does not come.
     */
    public List<String> receiveUntil(final Predicate<String> last)
    {
        final List<String> messages = new ArrayList<>();
        do
        {
            messages.add(receive());
        }
        while (!last.test(messages.get(messages.size() - 1)));
        return messages;
    }

    /** Null if none came within a second. */
    private String tryReceive()
    {
        final long count = invoke("recv", fd, BufferUtil.address(buffer), MAX_LENGTH, 0);
        if (count < 0)
        {
            final int errno = LastError.getInstance().get();
            if (errno != EAGAIN && errno != EINTR)
            {
                throw new IllegalStateException("recv: errno=" + errno);
            }
            return null;
        }
        final byte[] message = new byte[(int)count];
        buffer.get(0, message);
        return new String(message, UTF_8);
    }

    @Override
    public void close()
    {
        call("close", fd);
    }

    private static long call(final String function, final long... arguments)
    {
        final long result = invoke(function, arguments);
        if (result < 0)
        {
            throw new IllegalStateException(function + ": errno=" + LastError.getInstance().get());
        }
        return result;
    }

    private static long invoke(final String function, final long... arguments)
    {
        final Type[] types = new Type[arguments.length];
        Arrays.fill(types, Type.SINT64);
        final CallContext context =
            CallContext.getCallContext(Type.SINT64, types, CallingConvention.DEFAULT, true);
        final long address = Library.getDefault().getSymbolAddress(function);
        final Invoker invoker = Invoker.getInstance();
        final long result = switch (arguments.length)
        {
            case 1 -> invoker.invokeL1(context, address, arguments[0]);
            case 3 -> invoker.invokeL3(context, address, arguments[0], arguments[1], arguments[2]);
            case 4 -> invoker.invokeL4(context, address, arguments[0], arguments[1], arguments[2], arguments[3]);
            default -> invoker.invokeL5(
                context, address, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4]);
        };
        // An int is in the lower half only.
        return "recv".equals(function) ? result : (int)result;
    }

    private static ByteBuffer direct(final int length)
    {
        return BufferUtil.allocateDirectAligned(length, Long.BYTES).order(ByteOrder.nativeOrder());
    }
}
