package org.onesided.server.shard.apply;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.server.log.EntryDescriptor;
import org.onesided.server.log.ItemKind;
import org.onesided.server.log.ShardLog;
import org.onesided.server.shard.RequestKind;
import org.onesided.server.shard.execution.Pull;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.shard.execution.RequestExecutor;
import org.onesided.server.shard.proposal.LoggedEvictions;
import org.onesided.server.shard.proposal.LoggedPulls;
import org.onesided.server.shard.proposal.LoggedRoom;
import org.onesided.server.shard.proposal.LoggedTime;
import org.onesided.server.shard.proposal.MemoryWait;
import org.onesided.server.shard.session.LoggedSessions;
import org.onesided.server.shard.session.RequestWindow;
import org.onesided.server.shard.session.ShardSession;

/**
 * Applies the committed entries of a shard's log to its table and its sessions. What comes of an entry depends on the
 * table, the sessions and the entry alone: on no clock, and not on where records are in the heap. It is the same code
 * for what the shard has just proposed, and for what is read back after a restart.
 *
 * <p>Memory for a record may be still to come, or be scattered. Then the entry waits with what is left of it, and with
 * it all that follow. {@link LoggedRoom} has made sure, before the request was proposed, that there is enough in all.
 * Belongs to the shard's thread.
 */
public final class EntryApplier implements AutoCloseable
{
    private final RequestExecutor executor;
    private final LoggedSessions sessions;
    private final LoggedTime time;
    private final LoggedPulls pulls;
    private final LoggedRoom room;
    private final MemoryWait memoryWait;
    private final LoggedEvictions evictions;
    private final StagedValues staged = new StagedValues();
    private final Request request;
    private final UnsafeBuffer answer;
    private final UnsafeBuffer entry = new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(ShardLog.MAX_ENTRY_LENGTH, Long.BYTES));
    private KeyListener keyListener = (hash) -> {};
    private long index = -1;
    private long term;
    private boolean isOwn;
    private boolean waitsForIndex;
    private boolean isRelease;
    private int position;
    private int end;

    /** Hears of keys before a request is applied that may change them. */
    @FunctionalInterface
    public interface KeyListener
    {
        /**
         * A request is about to be applied.
         *
         * @param keyHash of its key.
         */
        void beforeWrite(long keyHash);
    }

    /**
     * @param executor  of the shard.
     * @param sessions  that the log knows.
     * @param time      of the table.
     * @param pulls     that the shard itself has proposed.
     * @param room      that the shard's own requests take.
     * @param evictions of the shard.
     * @param keyHash   of the table.
     * @param answer    where answers are written.
     * @param memory    of what waits for room.
     */
    public EntryApplier(
        final RequestExecutor executor,
        final LoggedSessions sessions,
        final LoggedTime time,
        final LoggedPulls pulls,
        final LoggedRoom room,
        final LoggedEvictions evictions,
        final KeyHash keyHash,
        final UnsafeBuffer answer,
        final MemoryWait memory)
    {
        memoryWait = memory;
        this.evictions = evictions;
        this.executor = executor;
        this.sessions = sessions;
        this.time = time;
        this.pulls = pulls;
        this.room = room;
        this.answer = answer;
        request = new Request(keyHash);
    }

    /**
     * Takes who hears of keys.
     *
     * @param listener told of each key.
     */
    public void keyListener(final KeyListener listener)
    {
        keyListener = listener;
    }

    /**
     * Begins with an entry; none may be unfinished.
     *
     * @param ofIndex in the log.
     * @param ofTerm  in the log.
     * @param from    holds the entry.
     * @param offset  where it begins.
     * @param length  of it.
     * @param life    of the shard, that tells which entries are its own.
     */
    public void begin(
        final long ofIndex,
        final long ofTerm,
        final DirectBuffer from,
        final int offset,
        final int length,
        final long life)
    {
        if (length > entry.capacity() || !EntryDescriptor.isReadable(from, offset, length))
        {
            throw new CannotApplyException("entry is of a format that this version does not read: index=" + ofIndex +
                " length=" + length + " format=" + (length > 0 ? from.getByte(offset) : -1) + " known=" +
                EntryDescriptor.FORMAT);
        }
        from.getBytes(offset, entry, 0, length);
        index = ofIndex;
        term = ofTerm;
        isOwn = EntryDescriptor.life(entry, 0) == life;
        isRelease = false;
        position = EntryDescriptor.HEADER_LENGTH;
        end = length;
        time.set(EntryDescriptor.timeMs(entry, 0));
    }

    /**
     * The table was loaded from a snapshot.
     *
     * @param snapshotIndex of the last entry in the snapshot.
     * @param snapshotTerm  of that entry.
     */
    public void startBehind(final long snapshotIndex, final long snapshotTerm)
    {
        index = snapshotIndex;
        term = snapshotTerm;
    }

    /**
     * Goes on with the present entry.
     *
     * @return whether it is done; if not, its next request waits for room.
     */
    public boolean advance()
    {
        while (position < end)
        {
            if (end - position < EntryDescriptor.ITEM_HEADER_LENGTH)
            {
                throw broken("item is cut off");
            }
            final ItemKind kind = ItemKind.of(entry.getByte(position + EntryDescriptor.ITEM_KIND_OFFSET));
            final int length = entry.getInt(position + EntryDescriptor.ITEM_LENGTH_OFFSET, LITTLE_ENDIAN);
            final int body = position + EntryDescriptor.ITEM_HEADER_LENGTH;
            if (kind == null || length < 0 || length > end - body)
            {
                throw broken(kind == null ? "kind of an item is not known" : "item is cut off");
            }
            final long session = entry.getLong(position + EntryDescriptor.ITEM_SESSION_OFFSET, LITTLE_ENDIAN);
            if (!apply(kind, session, body, length))
            {
                return false;
            }
            position = body + BitUtil.align(length, EntryDescriptor.ITEM_ALIGNMENT);
        }
        return true;
    }

    private boolean apply(final ItemKind kind, final long session, final int body, final int length)
    {
        isRelease = kind == ItemKind.RELEASE;
        switch (kind)
        {
            case BEGIN -> begin(body, length);
            case OPEN_SESSION -> sessions.open(session);
            case END_SESSION -> sessions.end(session);
            case EVICT -> evict(body, length);
            case RELEASE ->
            {
                // Counts if nothing follows.
            }
            case VALUE_PART ->
            {
                if (!isOwn)
                {
                    staged.add(session, entry, body, length);
                }
            }
            default ->
            {
                return write(session, body, length);
            }
        }
        return true;
    }

    private void begin(final int body, final int length)
    {
        if (length != Long.BYTES)
        {
            throw broken("length of an item is wrong");
        }
        staged.close();
        if (!isOwn)
        {
            // Another member leads: what this one has proposed and is not here yet never will be.
            pulls.onDeposed();
        }
        time.defaultTtlMs(entry.getLong(body, LITTLE_ENDIAN));
    }

    private void evict(final int body, final int length)
    {
        if (!evictions.apply(entry, body, length, isOwn))
        {
            throw broken("evictions cannot be read: length=" + length);
        }
    }

    private boolean write(final long id, final int body, final int length)
    {
        final ShardSession session = sessions.get(id);
        if (session == null)
        {
            throw broken("session of a write is not open: session=" + id);
        }
        if (!request.wrap(entry.addressOffset() + body, length) || !request.isLogged())
        {
            throw broken("request cannot be read: session=" + id + " length=" + length);
        }
        final RequestWindow window = session.window();
        final long requestId = request.requestId();
        if (window.isLogged(requestId))
        {
            // Each write takes effect once, however often it is in the log.
            onSettled();
            return true;
        }
        keyListener.beforeWrite(request.keyHash());
        final Pull pull = isOwn && request.isPull() ? pulls.get(id, requestId) : null;
        final int answered = pull != null ? pulls.publish(pull, request, answer) : execute(id);
        if (answered == RequestExecutor.WAIT || executor.lastStatus() == Status.GROWTH_REFUSED)
        {
            waitsForIndex = pull != null && !pull.isAside() || executor.waitsForIndex();
            return false;
        }
        if (isRoomless(executor.lastStatus()))
        {
            if ((pull == null || pull.isAside()) && memoryWait.goOn())
            {
                waitsForIndex = executor.lastStatus() != Status.STORE_FULL;
                return false;
            }
            throw broken("table has no room for a record that was there, give the server more memory: status=" +
                executor.lastStatus());
        }
        memoryWait.end();
        if (executor.lastStatus() == Status.OK && request.kind() != RequestKind.TOUCH)
        {
            // A removal that is on its way finds another version. A touch leaves the version.
            evictions.onGone(request.keyHash());
        }
        onSettled();
        window.logged(requestId, answer, answered);
        if (pull != null)
        {
            pulls.onApplied(id, pull);
        }
        else if (request.isPull())
        {
            staged.drop(id, requestId);
        }
        if (session.listener() != null)
        {
            session.listener().onApplied(requestId);
        }
        return true;
    }

    private void onSettled()
    {
        if (isOwn)
        {
            room.onApplied();
        }
    }

    private int execute(final long session)
    {
        return switch (request.kind())
        {
            case PUT -> executor.put(request, answer);
            case INCREMENT, APPEND -> executor.compute(request, answer);
            case TOUCH -> executor.touch(request, answer);
            case DELETE -> executor.delete(request, answer);
            default ->
            {
                final int length = (int)request.block().largeValueLength();
                yield executor.put(request, staged.address(session, request.requestId(), length), length, answer);
            }
        };
    }

    private static boolean isRoomless(final Status status)
    {
        return status == Status.STORE_FULL || status == Status.INDEX_FULL || status == Status.CHAIN_FULL;
    }

    private CannotApplyException broken(final String what)
    {
        return new CannotApplyException(what + ": index=" + index + " term=" + term + " offset=" + position);
    }

    /** Room is being made for the request that waits. */
    public void onProgress()
    {
        memoryWait.onProgress();
    }

    /**
     * The request that waits has no room yet, and nobody else gives any: the entry is read back.
     *
     * @throws CannotApplyException if that has been so for too long.
     */
    public void awaitRoom()
    {
        if (!memoryWait.goOn())
        {
            throw broken("memory for the records of the log does not come, free some of the machine's: waited=" +
                memoryWait.waitedSeconds() + "s");
        }
    }

    /**
     * @return the request that waits for room, after {@link #advance} was false.
     */
    public Request waiting()
    {
        return request;
    }

    /**
     * @return whether that waits for room in the index, and not in the heap.
     */
    public boolean waitsForIndex()
    {
        return waitsForIndex;
    }

    /**
     * @return whether no entry is applied in part, and no value is known in part.
     */
    public boolean isWhole()
    {
        return position >= end && staged.isEmpty() && pulls.isEmpty();
    }

    /**
     * @return whether the shard has proposed the entry that was begun last.
     */
    public boolean isOwn()
    {
        return isOwn;
    }

    /**
     * @return whether the entry that was begun last ends with RELEASE.
     */
    public boolean isRelease()
    {
        return isRelease;
    }

    /**
     * @return index of the entry that was begun last; -1 if there was none.
     */
    public long index()
    {
        return index;
    }

    /**
     * @return term of the entry that was begun last.
     */
    public long term()
    {
        return term;
    }

    @Override
    public void close()
    {
        staged.close();
    }
}
