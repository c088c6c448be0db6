package org.onesided.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.CompletionDescriptor;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Errno;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequestDescriptor;
import org.onesided.verbs.VerbsException;

/**
 * The send queue of a queue pair whose transport does as the test says.
 */
class SendWorkTest
{
    private static final int CAPACITY = 4;

    private final NativeArray request = new NativeArray(SendRequestDescriptor.LENGTH);
    private final NativeArray completion = new NativeArray(CompletionDescriptor.LENGTH);
    private final SendQueue sends = new SendQueue(CAPACITY, 1, 0);
    private final SoftCompletionQueue completions =
        new SoftCompletionQueue(null, null, (event) -> { }, 2, null);
    private final Device device = new Device();
    private final SendWork work = new SendWork(sends, device, new RetryTimer(), completions, 7, false);

    @AfterEach
    void free()
    {
        sends.close();
        request.close();
        completion.close();
    }

    @Test
    void shouldCompleteInTheOrderOfPosting()
    {
        post(1, Opcode.RDMA_READ, SendFlags.SIGNALED);
        post(2, Opcode.SEND, 0);
        device.results.addAll(List.of(
            Transport.PENDING, CompletionStatus.LOC_PROT_ERR, CompletionStatus.LOC_PROT_ERR));

        assertEquals(SendWork.Outcome.PENDING, work.run());
        assertEquals(List.of(), poll());

        device.done = true;
        assertEquals(SendWork.Outcome.FAILED, work.run());
        assertEquals(
            List.of("1 " + CompletionStatus.SUCCESS, "2 " + CompletionStatus.LOC_PROT_ERR), poll());
        assertEquals(1, work.reads());
    }

    @Test
    void shouldTryARequestAgainThatIsBlocked()
    {
        post(1, Opcode.SEND, SendFlags.SIGNALED);
        device.results.addAll(List.of(Transport.BLOCKED, CompletionStatus.SUCCESS));

        assertEquals(SendWork.Outcome.BLOCKED, work.run());
        assertEquals(List.of(), poll());
        assertEquals(SendWork.Outcome.EMPTY, work.run());
        assertEquals(List.of("1 " + CompletionStatus.SUCCESS), poll());
    }

    @Test
    void shouldFailARequestForWhichThisSideLacksSomething()
    {
        post(1, Opcode.SEND, 0);
        device.lacking = true;
        assertEquals(SendWork.Outcome.FAILED, work.run());
        assertEquals(List.of("1 " + CompletionStatus.LOC_QP_OP_ERR), poll());
    }

    @Test
    void shouldFlushWhatIsUnderWayAndWhatWaits()
    {
        post(1, Opcode.RDMA_READ, 0);
        post(2, Opcode.SEND, 0);
        device.results.addAll(List.of(Transport.PENDING, Transport.BLOCKED));
        assertEquals(SendWork.Outcome.BLOCKED, work.run());

        work.flush();
        assertEquals(
            List.of("1 " + CompletionStatus.WR_FLUSH_ERR, "2 " + CompletionStatus.WR_FLUSH_ERR), poll());
        assertFalse(sends.hasUnfinished());
    }

    @Test
    void shouldExecuteAReadAtOnceThatNothingIsBefore()
    {
        final long address = write(1, Opcode.RDMA_READ, SendFlags.SIGNALED);
        assertTrue(work.mayExecuteAtOnce(address));
        device.results.add(CompletionStatus.SUCCESS);
        assertEquals(CompletionStatus.SUCCESS, work.tryExecuteAtOnce(address, 0));
        assertTrue(work.finish(address, 0, CompletionStatus.SUCCESS));
        assertEquals(List.of("1 " + CompletionStatus.SUCCESS), poll());

        assertFalse(work.mayExecuteAtOnce(write(2, Opcode.SEND, 0)));
        post(3, Opcode.SEND, 0);
        assertFalse(work.mayExecuteAtOnce(write(4, Opcode.RDMA_READ, 0)), "another request waits");
    }

    @Test
    void shouldFailTheQueuePairWhenACompletionFindsNoRoom()
    {
        for (int id = 1; id <= 3; id++)
        {
            post(id, Opcode.SEND, SendFlags.SIGNALED);
            device.results.add(CompletionStatus.SUCCESS);
        }
        assertEquals(SendWork.Outcome.FAILED, work.run());
        assertTrue(completions.isBroken());
    }

    private void post(final long id, final int opcode, final int flags)
    {
        sends.add(write(id, opcode, flags));
    }

    private long write(final long id, final int opcode, final int flags)
    {
        final long address = request.range().address();
        UnsafeApi.putLong(address + SendRequestDescriptor.ID_OFFSET, id);
        UnsafeApi.putInt(address + SendRequestDescriptor.OPCODE_OFFSET, opcode);
        UnsafeApi.putInt(address + SendRequestDescriptor.FLAGS_OFFSET, flags);
        UnsafeApi.putInt(address + SendRequestDescriptor.ELEMENT_COUNT_OFFSET, 0);
        return address;
    }

    /** Takes all completions: id and status of each. */
    private List<String> poll()
    {
        final List<String> taken = new ArrayList<>();
        final long address = completion.range().address();
        while (completions.poll(address, 1) == 1)
        {
            taken.add(UnsafeApi.getLong(address + CompletionDescriptor.ID_OFFSET) + " " +
                UnsafeApi.getInt(address + CompletionDescriptor.STATUS_OFFSET));
        }
        return taken;
    }

    /**
     * A transport that returns what it was given.
     */
    private static final class Device implements Transport
    {
        private final ArrayDeque<Integer> results = new ArrayDeque<>();
        private boolean done;
        private boolean lacking;

        @Override
        public byte[] deviceBytes()
        {
            return new byte[0];
        }

        @Override
        public int execute(final long address, final long totalLength)
        {
            if (lacking)
            {
                throw new VerbsException("mmap", Errno.ENOMEM, "no memory");
            }
            return results.remove();
        }

        @Override
        public boolean isDone(final long address)
        {
            return done;
        }

        @Override
        public boolean lookForArrivals()
        {
            return false;
        }

        @Override
        public void receive()
        {
            // Nothing comes.
        }

        @Override
        public boolean isPeerGone()
        {
            return false;
        }

        @Override
        public Runnable connect(final QueuePairAttributes values)
        {
            return null;
        }

        @Override
        public Runnable detach(final boolean again)
        {
            return null;
        }

        @Override
        public void publish()
        {
            // There is no peer.
        }

        @Override
        public void publishWakeUps(final int wakeUps)
        {
            // There is no peer.
        }

        @Override
        public void receivesPosted()
        {
            // There is no peer.
        }
    }
}
