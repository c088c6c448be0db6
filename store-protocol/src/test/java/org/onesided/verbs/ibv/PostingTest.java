package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Closure;
import com.kenai.jffi.ClosureManager;
import com.kenai.jffi.Type;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.Errno;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.ReceiveRequestDescriptor;
import org.onesided.verbs.ReceiveRequests;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequest;
import org.onesided.verbs.SendRequestDescriptor;
import org.onesided.verbs.SendRequests;

/**
 * Posts to a provider in this process, which notes what it gets.
 */
class PostingTest
{
    private static final int MAX_ELEMENTS = 2;
    private static final int MAX_INLINE = 16;
    private static final long QUEUE = 0x1234_5678_9ABCL;

    private final SendRequests sends = new SendRequests(4, 4);
    private final ReceiveRequests receives = new ReceiveRequests(4, 4);
    private final NativeArray bad = new NativeArray(Long.BYTES);
    private final List<Long> ids = new ArrayList<>();
    private int result;
    private long resultBad;
    private boolean namesRefused = true;
    private final Closure.Handle provider = ClosureManager.getInstance().newClosure(
        (buffer) ->
        {
            assertEquals(QUEUE, buffer.getLong(0));
            long request = buffer.getLong(1);
            while (request != 0)
            {
                ids.add(UnsafeApi.getLong(request + SendRequestDescriptor.ID_OFFSET));
                request = UnsafeApi.getLong(request + SendRequestDescriptor.NEXT_OFFSET);
            }
            if (namesRefused)
            {
                UnsafeApi.putLong(buffer.getLong(2), resultBad);
            }
            buffer.setIntReturn(result);
        },
        Type.SINT32,
        new Type[] {Type.SINT64, Type.SINT64, Type.SINT64},
        CallingConvention.DEFAULT);

    @AfterEach
    void free()
    {
        provider.dispose();
        sends.close();
        receives.close();
        bad.close();
    }

    @Test
    void shouldPostAChainThatIsRight()
    {
        send(0, Opcode.SEND, 0, 8);
        send(1, Opcode.RDMA_READ, 0, 8, 8);
        send(2, Opcode.RDMA_WRITE, SendFlags.INLINE, 8, 8);
        send(3, Opcode.ATOMIC_FETCH_AND_ADD, 0, 8);
        assertEquals(0, post(4));
        assertEquals(List.of(0L, 1L, 2L, 3L), ids);
    }

    @Test
    void shouldNotBelieveWhatAnEarlierRefusalNamed()
    {
        UnsafeApi.putLong(bad.range().address(), 4711);
        send(0, Opcode.SEND, 0, 8);
        namesRefused = false;
        result = Errno.ENOMEM;
        assertEquals(Errno.ENOMEM, post(1));
        assertEquals(sends.at(0).address(), UnsafeApi.getLong(bad.range().address()));
    }

    @Test
    void shouldPostWhatIsBeforeAWrongRequest()
    {
        for (int wrong = 0; wrong < 4; wrong++)
        {
            ids.clear();
            for (int i = 0; i < 4; i++)
            {
                send(i, i == wrong ? 99 : Opcode.RDMA_WRITE, 0, 8);
            }
            assertEquals(Errno.EINVAL, post(4));
            assertEquals(List.of(0L, 1L, 2L, 3L).subList(0, wrong), ids);
            assertEquals(sends.at(wrong).address(), UnsafeApi.getLong(bad.range().address()));
            // The chain is whole again.
            if (wrong > 0)
            {
                assertEquals(sends.at(wrong).address(),
                    UnsafeApi.getLong(sends.at(wrong - 1).address() + SendRequestDescriptor.NEXT_OFFSET));
            }
        }
    }

    @Test
    void shouldFindWhatIsWrongInARequest()
    {
        refuse(-1, 0, 8);
        refuse(Opcode.ATOMIC_FETCH_AND_ADD + 1, 0, 8);
        refuse(Opcode.SEND, 0, 8, 8, 8);
        refuse(Opcode.SEND, SendFlags.INLINE, 8, 9);
        refuse(Opcode.SEND, SendFlags.INLINE, -1, 17);
        refuse(Opcode.RDMA_READ, SendFlags.INLINE, 8);
        refuse(Opcode.ATOMIC_CMP_AND_SWP, SendFlags.INLINE, 8);
        refuse(Opcode.ATOMIC_CMP_AND_SWP, 0, 16);
        refuse(Opcode.ATOMIC_FETCH_AND_ADD, 0);
        refuse(Opcode.RDMA_WRITE, 0, Integer.MIN_VALUE, 1);
        send(0, Opcode.SEND, 0, 8);
        UnsafeApi.putInt(sends.at(0).address() + SendRequestDescriptor.ELEMENT_COUNT_OFFSET, -1);
        assertEquals(Errno.EINVAL, post(1));
        assertTrue(ids.isEmpty());
    }

    @Test
    void shouldFindWhatIsWrongInAReceive()
    {
        for (int i = 0; i < 3; i++)
        {
            receives.at(i).begin(i).element(0, 8, 0).next(i < 2 ? receives.at(i + 1) : null);
        }
        receives.at(1).element(0, 8, 0).element(0, 8, 0);
        final long first = receives.at(0).address();
        final long before = RequestChecks.receives(first, MAX_ELEMENTS);
        assertEquals(first, before);
        assertEquals(Errno.EINVAL, Posting.post(
            provider.getAddress(), QUEUE, first, bad.range().address(), before, ReceiveRequestDescriptor.NEXT_OFFSET));
        assertEquals(List.of(0L), ids);
        assertEquals(receives.at(1).address(), UnsafeApi.getLong(bad.range().address()));
        assertEquals(0, RequestChecks.receives(first, 3));
        UnsafeApi.putInt(first + ReceiveRequestDescriptor.ELEMENT_COUNT_OFFSET, -1);
        assertEquals(-first, RequestChecks.receives(first, MAX_ELEMENTS));
    }

    @Test
    void shouldReturnAPositiveErrnoWhateverTheProviderReturns()
    {
        send(0, Opcode.SEND, 0, 8);
        for (final int[] returned : new int[][] {
            {Errno.ENOMEM, Errno.ENOMEM}, {-Errno.ENOMEM, Errno.ENOMEM}, {-1, Errno.EINVAL}})
        {
            result = returned[0];
            resultBad = sends.at(0).address();
            assertEquals(returned[1], post(1));
            assertEquals(sends.at(0).address(), UnsafeApi.getLong(bad.range().address()));
        }
        resultBad = 0;
        assertEquals(Errno.EINVAL, post(1));
        assertEquals(sends.at(0).address(), UnsafeApi.getLong(bad.range().address()), "the provider named none");
    }

    private void refuse(final int opcode, final int flags, final int... lengths)
    {
        send(0, opcode, flags, lengths);
        assertEquals(Errno.EINVAL, post(1), Opcode.name(opcode));
        assertEquals(sends.at(0).address(), UnsafeApi.getLong(bad.range().address()));
        assertTrue(ids.isEmpty());
    }

    private void send(final int index, final int opcode, final int flags, final int... lengths)
    {
        final SendRequest request = sends.at(index).begin(index, opcode, flags);
        for (final int length : lengths)
        {
            request.element(0, length, 0);
        }
        if (index > 0)
        {
            sends.at(index - 1).next(request);
        }
    }

    private int post(final int count)
    {
        for (int i = 1; i < count; i++)
        {
            sends.at(i - 1).next(sends.at(i));
        }
        sends.at(count - 1).next(null);
        final long first = sends.at(0).address();
        return Posting.post(
            provider.getAddress(), QUEUE, first, bad.range().address(),
            RequestChecks.sends(first, MAX_ELEMENTS, MAX_INLINE), SendRequestDescriptor.NEXT_OFFSET);
    }
}
