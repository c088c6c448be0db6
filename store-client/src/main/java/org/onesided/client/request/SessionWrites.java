package org.onesided.client.request;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.AttachmentLostException;
import org.onesided.client.session.DeadlinePassedException;
import org.onesided.client.session.OperationBuffers;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.types.MutableVersion;
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
    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final OperationBuffers buffers;
    private final RequestEngine engine;
    private final LoneWrite alone;
    private final WriteRequest request = new WriteRequest();
    /** Table that the write was staged for last. */
    private long tableId;
    /** Buffer from which the server pulls a long value. */
    private RegisteredBuffer extent;

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
        putWith(WriteTerms.PLAIN, valueBase, valueOffset, valueLength);
    }

    /**
     * As {@link #put(Object, long, int)}, with terms.
     *
     * @param with        these terms.
     * @param valueBase   array that holds the value, or null for native memory.
     * @param valueOffset of the value in the array as UnsafeApi counts it, or its address.
     * @param valueLength of the value in bytes.
     * @return what became of it.
     */
    public WriteOutcome put(
        final WriteTerms with, final Object valueBase, final long valueOffset, final int valueLength)
    {
        return outcome(putWith(with, valueBase, valueOffset, valueLength) == Outcomes.PUT, engine.versionAlone());
    }

    /**
     * As {@link #put(WriteTerms, Object, long, int)}, without allocating.
     *
     * @param with        these terms.
     * @param valueBase   array that holds the value, or null for native memory.
     * @param valueOffset of the value in the array as UnsafeApi counts it, or its address.
     * @param valueLength of the value in bytes.
     * @param version     gets the version that the key has then, or none.
     * @return whether it was applied.
     */
    public boolean put(
        final WriteTerms with,
        final Object valueBase,
        final long valueOffset,
        final int valueLength,
        final MutableVersion version)
    {
        final boolean isApplied = putWith(with, valueBase, valueOffset, valueLength) == Outcomes.PUT;
        tell(version);
        return isApplied;
    }

    private void tell(final MutableVersion version)
    {
        if (version != null)
        {
            version.set(tableId, engine.versionAlone());
        }
    }

    private byte putWith(
        final WriteTerms with, final Object valueBase, final long valueOffset, final int valueLength)
    {
        final ServerInfo server = reconnector.server();
        if (valueLength > server.maxValueLength())
        {
            throw ValueLength.refused(valueLength, "", server, operation.failure(WriteFate.NOT_APPLIED));
        }
        request.put(with, valueBase, valueOffset, valueLength);
        return run();
    }

    /**
     * Deletes the key that the operation began with.
     *
     * @return whether it was there.
     */
    public boolean delete()
    {
        request.delete(WriteTerms.PLAIN);
        return run() == Outcomes.DELETED;
    }

    /**
     * Adds to the number under the key that the operation began with.
     *
     * @param added    to it.
     * @param ifAbsent number to which it is added if the key is absent.
     * @param with     what becomes of the key's time.
     * @param version  gets the version that the key got; may be null.
     * @return the new number.
     */
    public long increment(
        final long added, final long ifAbsent, final WriteTerms with, final MutableVersion version)
    {
        request.increment(with, added, ifAbsent);
        run();
        tell(version);
        return engine.resultAlone();
    }

    /**
     * Adds bytes to the value under the key that the operation began with.
     *
     * @param valueBase   array that holds the bytes, or null for native memory.
     * @param valueOffset of the bytes in the array as UnsafeApi counts it, or their address.
     * @param valueLength of the bytes.
     * @param with        what becomes of the key's time.
     * @param version     gets the version that the key got; may be null.
     * @return the value's new length in bytes.
     */
    public int append(
        final Object valueBase,
        final long valueOffset,
        final int valueLength,
        final WriteTerms with,
        final MutableVersion version)
    {
        if (valueLength > AppendLimits.MAX_ADDED_LENGTH)
        {
            throw ValueLength.refusedToAppend(
                valueLength, AppendLimits.MAX_ADDED_LENGTH, operation.failure(WriteFate.NOT_APPLIED));
        }
        request.append(with, valueBase, valueOffset, valueLength);
        run();
        tell(version);
        return (int)engine.resultAlone();
    }

    /**
     * Changes the time of the key that the operation began with.
     *
     * @param with that time.
     * @return whether the key was there.
     */
    public boolean touch(final WriteTerms with)
    {
        request.touch(with);
        return run() == Outcomes.TOUCHED;
    }

    /**
     * As {@link #delete}, under a condition.
     *
     * @param with that condition.
     * @return what became of it.
     */
    public WriteOutcome deleteIf(final WriteTerms with)
    {
        request.delete(with);
        final boolean isApplied = run() != Outcomes.CONFLICT;
        return outcome(isApplied, isApplied ? 0 : engine.versionAlone());
    }

    /** The answer came from the table that the request was staged for: no other server life resumes its session. */
    private WriteOutcome outcome(final boolean isApplied, final long version)
    {
        return new WriteOutcome(isApplied, version == 0 ? null : new Version(tableId, version));
    }

    private byte run()
    {
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
        final DirectBuffer key = operation.keySpace();
        final int keyLength = operation.keyLength();
        if (request.isAppend() && request.length() > engine.requests().maxAppended(keyLength))
        {
            throw ValueLength.refusedToAppend(
                request.length(), engine.requests().maxAppended(keyLength), operation.failure(WriteFate.NOT_APPLIED));
        }
        final int slot = rpc.makeRoom(attachment.table().shardOf(key.addressOffset(), keyLength));
        tableId = attachment.table().id();
        if (request.isPut() && !engine.requests().fits(request.terms(), keyLength, request.length()))
        {
            request.stageLarge(rpc, slot, key, keyLength, longValue());
        }
        else
        {
            request.stage(rpc, slot, key, keyLength);
        }
        return slot;
    }

    /** The value where the server can pull it from. */
    private RegisteredBuffer longValue()
    {
        if (extent == null)
        {
            final int length = request.length();
            extent = buffers.take(length);
            UnsafeApi.copyMemory(request.base(), request.offset(), null, extent.addressOf(0, length), length);
        }
        return extent;
    }

    private void end()
    {
        request.forget();
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
