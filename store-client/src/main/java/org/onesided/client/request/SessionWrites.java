package org.onesided.client.request;

import org.agrona.UnsafeApi;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.AttachmentLostException;
import org.onesided.client.session.DeadlinePassedException;
import org.onesided.client.session.OperationBuffers;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.types.ServerInfo;
import org.onesided.client.types.Version;
import org.onesided.client.types.WriteOutcome;
import org.onesided.protocol.rpc.AppendLimits;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.waiting.Pause;

/**
 * A session's writes, one at a time: the {@link RequestEngine} stages, posts and awaits each, with nothing else in
 * flight. A busy server is asked again. Not thread-safe.
 */
public final class SessionWrites
{
    private enum Kind
    {
        PUT, DELETE, INCREMENT, APPEND
    }

    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final OperationBuffers buffers;
    private final RequestEngine engine;
    private final LoneWrite alone;

    private Kind kind;
    /** Of the write, or null. */
    private WriteCondition condition;
    /** Table that the write was staged for last. */
    private long tableId;
    private Object base;
    private long offset;
    private int length;
    /** Buffer from which the server pulls a long value. */
    private RegisteredBuffer extent;
    private long delta;
    private long initial;

    /**
     * @param operation   that the session carries out.
     * @param reconnector keeps the session attached.
     * @param buffers     for long values.
     * @param engine      of the session.
     */
    public SessionWrites(
        final RunningOperation operation,
        final Reconnector reconnector,
        final OperationBuffers buffers,
        final RequestEngine engine)
    {
        this.operation = operation;
        this.reconnector = reconnector;
        this.buffers = buffers;
        this.engine = engine;
        alone = engine.alone();
    }

    /**
     * Puts a value under the key that the operation began with.
     *
     * @param valueBase   array that holds the value, or null for native memory.
     * @param valueOffset of the value in the array as UnsafeApi counts it, or its address.
     * @param valueLength of the value in bytes.
     */
    public void put(final Object valueBase, final long valueOffset, final int valueLength)
    {
        put(null, valueBase, valueOffset, valueLength);
    }

    /**
     * As {@link #put}, under a condition.
     *
     * @param asked       of the key.
     * @param valueBase   array that holds the value, or null for native memory.
     * @param valueOffset of the value in the array as UnsafeApi counts it, or its address.
     * @param valueLength of the value in bytes.
     * @return what became of it.
     */
    public WriteOutcome putIf(
        final WriteCondition asked, final Object valueBase, final long valueOffset, final int valueLength)
    {
        return outcome(put(asked, valueBase, valueOffset, valueLength) == Outcomes.PUT, engine.versionAlone());
    }

    private byte put(
        final WriteCondition asked, final Object valueBase, final long valueOffset, final int valueLength)
    {
        final ServerInfo server = reconnector.server();
        if (valueLength > server.maxValueLength())
        {
            throw ValueLength.refused(valueLength, "", server, operation.failure(WriteFate.NOT_APPLIED));
        }
        give(valueBase, valueOffset, valueLength);
        return run(Kind.PUT, asked);
    }

    /**
     * Deletes the key that the operation began with.
     *
     * @return whether it was there.
     */
    public boolean delete()
    {
        return run(Kind.DELETE, null) == Outcomes.DELETED;
    }

    /**
     * Adds to the number under the key that the operation began with.
     *
     * @param added    to it.
     * @param ifAbsent number to which it is added if the key is absent.
     * @return the new number.
     */
    public long increment(final long added, final long ifAbsent)
    {
        delta = added;
        initial = ifAbsent;
        run(Kind.INCREMENT, null);
        return engine.resultAlone();
    }

    /**
     * Adds bytes to the value under the key that the operation began with.
     *
     * @param valueBase   array that holds the bytes, or null for native memory.
     * @param valueOffset of the bytes in the array as UnsafeApi counts it, or their address.
     * @param valueLength of the bytes.
     * @return the value's new length in bytes.
     */
    public int append(final Object valueBase, final long valueOffset, final int valueLength)
    {
        if (valueLength > AppendLimits.MAX_ADDED_LENGTH)
        {
            throw ValueLength.refusedToAppend(
                valueLength, AppendLimits.MAX_ADDED_LENGTH, operation.failure(WriteFate.NOT_APPLIED));
        }
        give(valueBase, valueOffset, valueLength);
        run(Kind.APPEND, null);
        return (int)engine.resultAlone();
    }

    private void give(final Object valueBase, final long valueOffset, final int valueLength)
    {
        base = valueBase;
        offset = valueOffset;
        length = valueLength;
    }

    /**
     * As {@link #delete}, under a condition.
     *
     * @param asked of the key.
     * @return what became of it.
     */
    public WriteOutcome deleteIf(final WriteCondition asked)
    {
        final boolean isApplied = run(Kind.DELETE, asked) != Outcomes.CONFLICT;
        return outcome(isApplied, isApplied ? 0 : engine.versionAlone());
    }

    /** The answer came from the table that the request was staged for: no other server life resumes its session. */
    private WriteOutcome outcome(final boolean isApplied, final long version)
    {
        return new WriteOutcome(isApplied, version == 0 ? null : new Version(tableId, version));
    }

    private byte run(final Kind of, final WriteCondition asked)
    {
        kind = of;
        condition = asked;
        alone.begin();
        try
        {
            attempt();
            for (int attempts = 0; alone.kind() == LoneWrite.AGAIN; attempts++)
            {
                final Status putOff = alone.takePutOff();
                if (putOff != null)
                {
                    reconnector.checkDeadline(putOff == Status.BUSY ?
                        "server has too much to do, try again later" : "server could not pull the value",
                        WriteFate.NOT_APPLIED);
                    Pause.after(attempts);
                }
                attempt();
            }
        }
        finally
        {
            end();
        }
        if (alone.kind() == Outcomes.FAILED)
        {
            throw alone.failure();
        }
        return alone.kind();
    }

    private void attempt()
    {
        final Attachment attachment = reconnector.attached(WriteFate.NOT_APPLIED);
        boolean isLate = false;
        String reason = "deadline passed before it could be sent";
        try
        {
            engine.awaitAlone(stage(attachment));
            return;
        }
        catch (final AttachmentLostException e)
        {
            reconnector.detach(e.getMessage());
            reason = Reconnector.late(e);
        }
        catch (final DeadlinePassedException e)
        {
            isLate = true;
        }
        if (engine.inFlight() > 0)
        {
            engine.goOnAlone(isLate ? null : reason);
        }
        else if (alone.kind() == LoneWrite.AGAIN && isLate)
        {
            throw reconnector.deadlinePassed(reason, WriteFate.NOT_APPLIED);
        }
        else if (alone.kind() == LoneWrite.AGAIN)
        {
            reconnector.checkDeadline(reason, WriteFate.NOT_APPLIED);
        }
    }

    private int stage(final Attachment attachment)
    {
        final Rpc rpc = engine.requests().rpc();
        final int keyLength = operation.keyLength();
        if (kind == Kind.APPEND && !engine.fits(keyLength, length))
        {
            throw ValueLength.refusedToAppend(
                length, engine.maxLength(keyLength), operation.failure(WriteFate.NOT_APPLIED));
        }
        final int slot = rpc.makeRoom(engine.shard(attachment));
        if (condition != null)
        {
            tableId = attachment.table().id();
            stageConditional(rpc, slot, keyLength);
        }
        else if (kind == Kind.DELETE)
        {
            rpc.stageDelete(slot, operation.keySpace(), keyLength);
        }
        else if (kind == Kind.INCREMENT)
        {
            rpc.stageIncrement(slot, operation.keySpace(), keyLength, delta, initial);
        }
        else if (kind == Kind.APPEND)
        {
            rpc.stageAppend(slot, operation.keySpace(), keyLength, base, offset, length);
        }
        else if (engine.fits(keyLength, length))
        {
            rpc.stagePut(slot, operation.keySpace(), keyLength, base, offset, length);
        }
        else
        {
            rpc.stagePutLarge(slot, operation.keySpace(), keyLength, longValue(), length);
        }
        return slot;
    }

    private void stageConditional(final Rpc rpc, final int slot, final int keyLength)
    {
        if (kind == Kind.DELETE)
        {
            rpc.stageDelete(slot, condition, operation.keySpace(), keyLength);
        }
        else if (engine.fitsWithCondition(keyLength, length))
        {
            rpc.stagePut(slot, condition, operation.keySpace(), keyLength, base, offset, length);
        }
        else
        {
            rpc.stagePutLarge(slot, condition, operation.keySpace(), keyLength, longValue(), length);
        }
    }

    /** The value where the server can pull it from. */
    private RegisteredBuffer longValue()
    {
        if (extent == null)
        {
            extent = buffers.take(length);
            UnsafeApi.copyMemory(base, offset, null, extent.addressOf(0, length), length);
        }
        return extent;
    }

    private void end()
    {
        base = null;
        engine.endAlone();
        if (extent != null)
        {
            final RegisteredBuffer used = extent;
            extent = null;
            if (alone.mayBePulled())
            {
                reconnector.detach("server must not pull a value from memory that is used again");
            }
            if (alone.kind() == Outcomes.PUT || alone.kind() == Outcomes.CONFLICT)
            {
                buffers.giveBackPulled(used);
            }
            else
            {
                // After a failure, the server may still pull from the buffer.
                buffers.discard(used);
            }
        }
    }
}
