package org.onesided.server.shard;

import org.agrona.UnsafeApi;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.ReceiveRequest;
import org.onesided.verbs.ReceiveRequests;
import org.onesided.verbs.SendRequest;
import org.onesided.verbs.SendRequests;

/**
 * What a connection is about to post: chained, and posted with one call for its receives and then one for its sends,
 * when the chain is long enough, another connection has something to post, or the shard has looked at what it polled.
 * The receives go first, since an answer is the client's credit to send again.
 */
final class Postings implements AutoCloseable
{
    /** Half of the usual credits, so that the client goes on with some answers while the shard makes the others. */
    private static final int CHAIN_LENGTH = 8;

    private final SendRequests sends = new SendRequests(CHAIN_LENGTH, 1);
    private final ReceiveRequests receives = new ReceiveRequests(CHAIN_LENGTH, 1);
    /** Inline data of the sends. */
    private final NativeArray copies = new NativeArray(CHAIN_LENGTH * SessionGeometry.MAX_INLINE);
    private ShardConnection owner;
    private int sendCount;
    private int receiveCount;

    /** The next send of a connection's chain. */
    SendRequest send(final ShardConnection connection)
    {
        prepare(connection, sendCount);
        return sends.at(sendCount++);
    }

    /** Copies inline data for the send that {@link #send} gives next; its address until it is posted. */
    long copy(final ShardConnection connection, final long address, final int length)
    {
        prepare(connection, sendCount);
        final long copy = copies.range().addressOf((long)sendCount * SessionGeometry.MAX_INLINE, length);
        UnsafeApi.copyMemory(address, copy, length);
        return copy;
    }

    /** The next receive of a connection's chain. */
    ReceiveRequest receive(final ShardConnection connection)
    {
        prepare(connection, receiveCount);
        return receives.at(receiveCount++);
    }

    /** Posts what there is, unless its connection ends. */
    void flush()
    {
        final ShardConnection connection = owner;
        if (connection == null)
        {
            return;
        }
        final int receivesToPost = receiveCount;
        final int sendsToPost = sendCount;
        owner = null;
        receiveCount = 0;
        sendCount = 0;
        if (connection.isEnding())
        {
            return;
        }
        int error = receivesToPost == 0 ? 0 : receives.post(connection.queuePair(), receivesToPost);
        if (error == 0 && sendsToPost > 0)
        {
            error = sends.post(connection.queuePair(), sendsToPost);
        }
        if (error != 0)
        {
            connection.lose("answer or READ could not be posted: errno=" + error);
        }
    }

    private void prepare(final ShardConnection connection, final int count)
    {
        if (owner != connection || count == CHAIN_LENGTH)
        {
            flush();
            owner = connection;
        }
    }

    @Override
    public void close()
    {
        sends.close();
        receives.close();
        copies.close();
    }
}
