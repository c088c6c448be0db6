package org.onesided.server.shard.snapshot;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.shard.apply.CannotApplyException;
import org.onesided.server.shard.proposal.LoggedTime;
import org.onesided.server.shard.session.LoggedSessions;
import org.onesided.server.shard.session.RequestWindow;
import org.onesided.server.shard.session.ShardSession;

/**
 * How a snapshot holds a session: the answers that it remembers. All numbers are little-endian.
 *
 * <pre>
 *   0                         4                         8 bytes
 *  +-------------------------+-------------------------+
 *  | session                                           |
 *  +-------------------------+-------------------------+
 *  | 0                                                 |
 *  +-------------------------+-------------------------+
 *  | request                                           |  for each answer
 *  +-------------------------+-------------------------+  to a write
 *  | length of the answer    | answer ...              |
 *  +-------------------------+-------------------------+
 * </pre>
 *
 * <p>The first image of a snapshot is the shard's own. Its session is 0, the other 0 is the default time to live in
 * milliseconds, and there are no answers.
 */
final class SessionImage
{
    private static final int TTL_OFFSET = Long.BYTES;
    private static final int ANSWERS_OFFSET = TTL_OFFSET + Long.BYTES;
    private static final int ANSWER_OFFSET = Long.BYTES + Integer.BYTES;

    private final ExpandableArrayBuffer image = new ExpandableArrayBuffer(8 << 10);
    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[SessionGeometry.MAX_INLINE]);

    /** What holds the image that was written last. */
    DirectBuffer buffer()
    {
        return image;
    }

    /** Writes the image of the shard's own state; returns its length. */
    int write(final LoggedTime time)
    {
        image.putLong(0, 0, LITTLE_ENDIAN);
        image.putLong(TTL_OFFSET, time.defaultTtlMs(), LITTLE_ENDIAN);
        return ANSWERS_OFFSET;
    }

    /**
     * Writes the image of a session.
     *
     * @param session      to write.
     * @param isReplicated whether other members have the same log: then only answers that follow from that are written.
     * @return the length.
     */
    int write(final ShardSession session, final boolean isReplicated)
    {
        final RequestWindow window = session.window();
        image.putLong(0, session.id(), LITTLE_ENDIAN);
        image.putLong(TTL_OFFSET, 0, LITTLE_ENDIAN);
        int length = ANSWERS_OFFSET;
        for (int place = 0; place < window.capacity(); place++)
        {
            final long id = window.idAt(place);
            if (window.hasAnswer(place) && (!isReplicated || window.isLogged(id)) &&
                window.answerLength(id) <= answer.capacity())
            {
                final int answered = window.answer(id, answer);
                if (!AnswerPlaces.forget(answer, answered))
                {
                    // A lent value is lent no more.
                    continue;
                }
                image.putLong(length, id, LITTLE_ENDIAN);
                image.putInt(length + Long.BYTES, answered, LITTLE_ENDIAN);
                image.putBytes(length + ANSWER_OFFSET, answer, 0, answered);
                length += ANSWER_OFFSET + answered;
            }
        }
        return length;
    }

    /**
     * Reads an image.
     *
     * @param from     holds it.
     * @param offset   where it begins.
     * @param length   of the image.
     * @param sessions get the session.
     * @param time     gets the shard's own state.
     */
    void read(
        final DirectBuffer from,
        final int offset,
        final int length,
        final LoggedSessions sessions,
        final LoggedTime time)
    {
        if (length < ANSWERS_OFFSET)
        {
            throw new CannotApplyException("session of a snapshot is too short: length=" + length);
        }
        final long id = from.getLong(offset, LITTLE_ENDIAN);
        if (id == 0)
        {
            time.defaultTtlMs(from.getLong(offset + TTL_OFFSET, LITTLE_ENDIAN));
            return;
        }
        sessions.open(id);
        final RequestWindow window = sessions.get(id).window();
        int at = offset + ANSWERS_OFFSET;
        while (at < offset + length)
        {
            final int left = offset + length - at - ANSWER_OFFSET;
            final int answered = left < 0 ? -1 : from.getInt(at + Long.BYTES, LITTLE_ENDIAN);
            if (answered < 0 || answered > left || answered > answer.capacity())
            {
                throw new CannotApplyException("session of a snapshot is cut off: session=" + id);
            }
            final long request = from.getLong(at, LITTLE_ENDIAN);
            // With fewer credits than before, the window has fewer places.
            if (window.idAt((int)request & window.capacity() - 1) < request)
            {
                from.getBytes(at + ANSWER_OFFSET, answer, 0, answered);
                window.logged(request, answer, answered);
            }
            at += ANSWER_OFFSET + answered;
        }
    }
}
