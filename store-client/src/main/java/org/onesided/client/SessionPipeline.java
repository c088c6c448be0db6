package org.onesided.client;

import java.util.function.BooleanSupplier;
import org.agrona.UnsafeApi;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.PutRequestDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.protocol.table.KeyHash;

/**
 * Writes of a session that are under way together, up to its credits at each shard: staged one by one, posted with one
 * doorbell a shard, told apart by their owner's correlations. Each ends with one outcome, whatever happens to the
 * server: with its answer, where the session was resumed with that to the same request sent again; or with a failure
 * that knows whether it may have taken effect. Outcomes come in any order, and wait here until they are taken.
 *
 * <p>It sets the link's deadline to the earliest one of its writes while it waits. Not thread-safe.
 */
final class SessionPipeline implements RequestSlots.Listener, Rpc.AnswerListener
{
    /** The put was done. */
    static final byte PUT = 0;
    /** The delete was done, and the key had been there. */
    static final byte DELETED = 1;
    /** The delete was done, and the key had not been there. */
    static final byte ABSENT = 2;
    /** The write failed. */
    static final byte FAILED = 3;

    /** In puts and deletes alike the key follows the request id. */
    private static final int KEY_LENGTH_OFFSET = MessageHeaderDecoder.ENCODED_LENGTH + PutRequestDecoder.BLOCK_LENGTH;
    private static final int KEY_OFFSET = KEY_LENGTH_OFFSET + PutRequestDecoder.keyHeaderLength();

    /** Longer than any deadline, and sums with one do not overflow. */
    private static final long NEVER_NS = Long.MAX_VALUE / 2;

    private final SessionLink link;
    private final Counters counters;
    private final BooleanSupplier isReady = this::isReady;
    private final BooleanSupplier hasRoom = () -> isReady() || hasRoom();
    private final BooleanSupplier isSettled = () -> inFlight() == 0 || isPostable();
    private long[] correlations = {};
    private byte[] kinds = {};
    private StoreException[] failures = {};
    private int first;
    private int outcomes;
    private int inFlight;
    private boolean isHeld;
    /** No write's deadline is before this. */
    private long firstDeadlineNs;

    private int refusedShard;
    private long refusedDeadlineNs;
    private long correlation;
    private byte kind;
    private StoreException failure;

    SessionPipeline(final SessionLink link)
    {
        this.link = link;
        this.counters = link.counters();
    }

    /** While the attachment is held, it is not replaced even if it is lost: something in its memory is in use. */
    void holdAttachment(final boolean isHeldNow)
    {
        isHeld = isHeldNow;
    }

    /** Writes that have no outcome yet. */
    int inFlight()
    {
        return inFlight;
    }

    /** Outcomes that were not taken yet. */
    int outcomes()
    {
        return outcomes;
    }

    /** Whether a value is short enough to go the way of this pipeline. */
    boolean takes(final int keyLength, final int valueLength)
    {
        return valueLength <= Rpc.maxInlineValue(link.slots().messageLength(), keyLength);
    }

    /**
     * Stages a put of the key in the link's key space. It may have its outcome at once.
     *
     * @param base   array that holds the value, or null for native memory.
     * @param offset of the value in the array as UnsafeApi counts it, or its address.
     * @param length of the value in bytes, which {@link #takes} allows.
     * @return whether there was a place for it; if not, others are to be waited for.
     */
    boolean put(
        final Object base, final long offset, final int length, final long correlates, final long deadlineNs)
    {
        return stage(false, base, offset, length, correlates, deadlineNs);
    }

    /** Stages a delete, as {@link #put}. */
    boolean delete(final long correlates, final long deadlineNs)
    {
        return stage(true, null, 0, 0, correlates, deadlineNs);
    }

    private boolean stage(
        final boolean isDelete,
        final Object base,
        final long offset,
        final int length,
        final long correlates,
        final long deadlineNs)
    {
        if (isHeld && link.attachment() == null)
        {
            return false;
        }
        final Attachment attachment;
        try
        {
            attachment = isHeld ? link.attachment() : attached(deadlineNs);
        }
        catch (final StoreException e)
        {
            add(correlates, FAILED, e);
            return true;
        }
        final int keyLength = link.keyLength();
        final long hash = attachment.table().hash(link.keySpace().addressOffset(), keyLength);
        final int shard = KeyHash.shard(hash, attachment.table().shardCount());
        final int slot = isDelete ?
            attachment.rpc().stageDelete(shard, link.keySpace(), keyLength) :
            attachment.rpc().stagePut(shard, link.keySpace(), keyLength, base, offset, length);
        if (slot == RequestSlots.NONE)
        {
            refusedShard = shard;
            refusedDeadlineNs = deadlineNs;
            return false;
        }
        attachment.slots().correlate(slot, correlates, deadlineNs);
        firstDeadlineNs = inFlight == 0 || deadlineNs - firstDeadlineNs < 0 ? deadlineNs : firstDeadlineNs;
        inFlight++;
        reserve();
        return true;
    }

    /** Posts what is staged, takes what has come, and fails what is too late; reconnects where that is needed. */
    void progress()
    {
        final Attachment current = link.attachment();
        if (inFlight == 0 && (current == null || current.isLost()))
        {
            return;
        }
        try
        {
            final Attachment attachment = attached(firstDeadlineNs + NEVER_NS);
            attachment.rpc().post();
            attachment.loop().progress();
        }
        catch (final AttachmentLostException e)
        {
            link.detach(e.getMessage());
        }
        catch (final StoreException e)
        {
            // It went to all writes already.
        }
        expire(null);
    }

    /** Whether there is an outcome, or something to be posted that had to wait. */
    boolean isReady()
    {
        return outcomes > 0 || isPostable();
    }

    private boolean isPostable()
    {
        return link.slots().canPost();
    }

    /** Waits until all writes have their outcomes. */
    void settle()
    {
        while (inFlight > 0)
        {
            progress();
            if (inFlight > 0)
            {
                await(isSettled);
            }
        }
    }

    /** Waits until it {@link #isReady}, for no longer than the first deadline. */
    void await()
    {
        await(isReady);
    }

    /** Whether there is a place now for the write that was refused last, for want of one. */
    boolean hasRoom()
    {
        final RequestSlots slots = link.slots();
        return refusedShard < slots.shards() && slots.next(refusedShard) != RequestSlots.NONE;
    }

    /** As {@link #await()}, and also until it {@link #hasRoom}, for no longer than the refused write may. */
    void awaitRoom()
    {
        await(hasRoom, refusedDeadlineNs);
    }

    /** Waits for a condition that {@link #isReady} or a wake-up makes true, for no longer than the first deadline. */
    void await(final BooleanSupplier condition)
    {
        if (inFlight > 0)
        {
            await(condition, firstDeadlineNs);
        }
    }

    /** As {@link #await(BooleanSupplier)}, for no longer than until another time as well. */
    void await(final BooleanSupplier condition, final long untilNs)
    {
        final Attachment attachment = link.attachment();
        if (attachment != null)
        {
            link.deadline().at(inFlight > 0 && firstDeadlineNs - untilNs < 0 ? firstDeadlineNs : untilNs);
            try
            {
                attachment.loop().awaitUntil(condition);
            }
            catch (final AttachmentLostException e)
            {
                link.detach(e.getMessage());
            }
            catch (final DeadlinePassedException e)
            {
                expire(null);
            }
        }
    }

    /** Adds the outcome of a write that did not go this way. */
    void add(final long of, final byte outcome, final StoreException reason)
    {
        reserve();
        push(of, outcome, reason);
    }

    /** Takes an outcome, whose parts can be asked then; whether there was one. */
    boolean next()
    {
        if (outcomes == 0)
        {
            return false;
        }
        correlation = correlations[first];
        kind = kinds[first];
        failure = failures[first];
        failures[first] = null;
        first = first + 1 == kinds.length ? 0 : first + 1;
        outcomes--;
        return true;
    }

    /** The deadline of the write that was refused last. */
    long refusedDeadlineNs()
    {
        return refusedDeadlineNs;
    }

    /** Of the outcome taken last. */
    long correlation()
    {
        return correlation;
    }

    /** Of the outcome taken last: {@link #PUT}, {@link #DELETED}, {@link #ABSENT} or {@link #FAILED}. */
    byte kind()
    {
        return kind;
    }

    /** Of the outcome taken last, null unless it failed. */
    StoreException failure()
    {
        return failure;
    }

    /** Fails all writes in flight, because the session is closed. */
    void close()
    {
        failAll(new StoreClosedException(
            "session was closed", FailureContext.ofServer(link.server().address())));
    }

    /** Forgets all writes, and outcomes that were not taken. */
    void clear()
    {
        if (inFlight > 0)
        {
            close();
        }
        while (next())
        {
            failure = null;
        }
    }

    @Override
    public void onAnswer(final RequestSlots slots, final int slot, final WriteAnswerDecoder answer)
    {
        inFlight--;
        final long address = slots.address(slot);
        final boolean isPut = isPut(address);
        final Status status = Rpc.status(answer.statusRaw());
        final boolean isDone = status == Status.OK;
        if (isDone || status == Status.NOT_FOUND && !isPut)
        {
            link.succeeded();
            counters.increment(isPut ? Counters.PUTS : Counters.DELETES);
            if (isPut)
            {
                counters.add(Counters.BYTES_PUT,
                    slots.length(slot) - KEY_OFFSET - keyLength(address) - PutRequestDecoder.valueHeaderLength());
            }
            // An answer may come while the attachment is taken down.
            final Attachment attachment = link.attachment();
            if (isDone && attachment != null)
            {
                SessionWrites.mirror(attachment.table(), slots.shardOf(slot), answer);
            }
            push(slots.correlation(slot), isPut ? PUT : isDone ? DELETED : ABSENT, null);
        }
        else
        {
            push(slots.correlation(slot), FAILED,
                SessionWrites.refused(status, context(slots, slot, WriteFate.NOT_APPLIED)));
        }
    }

    @Override
    public void onLost(final RequestSlots slots, final int slot)
    {
        inFlight--;
        final boolean wasSent = slots.wasSent(slot);
        push(slots.correlation(slot), FAILED, new StoreDisconnectedException(wasSent ?
            "session was lost before the answer came, and the server does not know it any more" :
            "session was lost before it was sent, and the server does not know it any more",
            context(slots, slot, wasSent ? WriteFate.UNKNOWN : WriteFate.NOT_APPLIED)));
    }

    /**
     * The attachment. Until it is there, writes whose deadline passes fail.
     *
     * @param deadlineNs of the caller, besides those of the writes.
     * @throws StoreException if there can be none, of which all writes were told; or none in time.
     */
    private Attachment attached(final long deadlineNs)
    {
        final Attachment current = link.attachment();
        if (current != null && !current.isLost())
        {
            return current;
        }
        while (true)
        {
            link.deadline().at(
                inFlight > 0 && firstDeadlineNs - deadlineNs < 0 ? firstDeadlineNs : deadlineNs);
            try
            {
                return link.attached(WriteFate.NOT_APPLIED);
            }
            catch (final StoreDisconnectedException e)
            {
                expire(e);
                final boolean isInterrupted = Thread.currentThread().isInterrupted();
                if (isInterrupted)
                {
                    failAll(e);
                }
                if (isInterrupted || inFlight == 0 || deadlineNs - System.nanoTime() <= 0)
                {
                    throw e;
                }
            }
            catch (final StoreException e)
            {
                failAll(e);
                throw e;
            }
        }
    }

    /**
     * Fails the writes whose deadline has passed.
     *
     * @param cause why there is no server, or null.
     */
    private void expire(final StoreException cause)
    {
        final long nowNs = System.nanoTime();
        if (inFlight == 0 || nowNs - firstDeadlineNs < 0)
        {
            return;
        }
        final RequestSlots slots = link.slots();
        long nextNs = nowNs + NEVER_NS;
        for (int slot = 0; slot < slots.count(); slot++)
        {
            if (slots.isPipelined(slot))
            {
                final long deadlineNs = slots.deadlineNs(slot);
                if (deadlineNs - nowNs <= 0)
                {
                    final WriteFate fate = fate(slots, slot);
                    fail(slots, slot, cause != null ? failure(cause, slots, slot) : new StoreDeadlineException(
                        fate == WriteFate.UNKNOWN ?
                            "deadline passed before the answer came" : "deadline passed before it could be sent",
                        context(slots, slot, fate)));
                }
                else if (deadlineNs - nextNs < 0)
                {
                    nextNs = deadlineNs;
                }
            }
        }
        firstDeadlineNs = nextNs;
    }

    private void failAll(final StoreException cause)
    {
        final RequestSlots slots = link.slots();
        for (int slot = 0; slot < slots.count(); slot++)
        {
            if (slots.isPipelined(slot))
            {
                fail(slots, slot, failure(cause, slots, slot));
            }
        }
    }

    private void fail(final RequestSlots slots, final int slot, final StoreException reason)
    {
        inFlight--;
        push(slots.correlation(slot), FAILED, reason);
        slots.abandon(slot);
    }

    /** The same failure, for the write in a slot. */
    private static StoreException failure(final StoreException cause, final RequestSlots slots, final int slot)
    {
        final FailureContext context = new FailureContext(
            operation(slots, slot), key(slots, slot), cause.server(), fate(slots, slot));
        if (cause instanceof StoreClosedException)
        {
            return new StoreClosedException("client or session was closed meanwhile", context, cause);
        }
        final Throwable reason = cause.getCause();
        return cause instanceof StoreDisconnectedException || !(reason instanceof AttachFailedException) ?
            new StoreDisconnectedException("server was lost and did not come back in time", context, cause) :
            ((AttachFailedException)reason).toStoreException(context);
    }

    private FailureContext context(final RequestSlots slots, final int slot, final WriteFate fate)
    {
        return new FailureContext(operation(slots, slot), key(slots, slot), link.server().address(), fate);
    }

    private static WriteFate fate(final RequestSlots slots, final int slot)
    {
        return slots.wasSent(slot) ? WriteFate.UNKNOWN : WriteFate.NOT_APPLIED;
    }

    private static String operation(final RequestSlots slots, final int slot)
    {
        return isPut(slots.address(slot)) ? Operation.PUT : Operation.DELETE;
    }

    private static String key(final RequestSlots slots, final int slot)
    {
        final long address = slots.address(slot);
        return KeyText.of(address + KEY_OFFSET, keyLength(address));
    }

    private static boolean isPut(final long message)
    {
        return UnsafeApi.getShort(message + MessageHeaderDecoder.templateIdEncodingOffset()) ==
            PutRequestDecoder.TEMPLATE_ID;
    }

    private static int keyLength(final long message)
    {
        return UnsafeApi.getShort(message + KEY_LENGTH_OFFSET) & 0xFFFF;
    }

    /** Makes room for the outcomes of all writes, so that a poll that finds them need not. */
    private void reserve()
    {
        final int needed = inFlight + outcomes + 1;
        if (needed > kinds.length)
        {
            final int length = Math.max(needed, Math.max(2 * kinds.length, link.slots().count()));
            final long[] newCorrelations = new long[length];
            final byte[] newKinds = new byte[length];
            final StoreException[] newFailures = new StoreException[length];
            for (int i = 0; i < outcomes; i++)
            {
                final int at = (first + i) % kinds.length;
                newCorrelations[i] = correlations[at];
                newKinds[i] = kinds[at];
                newFailures[i] = failures[at];
            }
            first = 0;
            correlations = newCorrelations;
            kinds = newKinds;
            failures = newFailures;
        }
    }

    private void push(final long of, final byte outcome, final StoreException reason)
    {
        int at = first + outcomes;
        at = at < kinds.length ? at : at - kinds.length;
        correlations[at] = of;
        kinds[at] = outcome;
        failures[at] = reason;
        outcomes++;
    }
}
