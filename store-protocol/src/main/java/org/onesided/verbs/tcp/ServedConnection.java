package org.onesided.verbs.tcp;

import java.nio.channels.SelectionKey;
import java.util.Arrays;
import org.onesided.verbs.CompletionChannel;

/**
 * The view of a connection that its serving thread has: the progress thread, or a thread that sleeps in a completion
 * channel.
 */
final class ServedConnection implements Handler, Watched
{
    /**
     * Serves the connection; called by the progress thread.
     */
    interface Owner extends Attended
    {
        /**
         * Reads, processes the received frames, and sends waiting ones.
         */
        void serve(Connection connection);

        /**
         * Looks whether the peer finishes the frame that it has begun, and gives a sign of what it was sent, and ends
         * the connection if it has had its time.
         *
         * @param passedNs since the last call, in nanoseconds.
         */
        void watch(Connection connection, long passedNs);
    }

    private final Owner owner;
    private final Connection connection;
    private final Progress progress;
    private final Attendance attendance;
    private final Silences silences;
    private TcpCompletionChannel[] channels = {};

    ServedConnection(final Owner owner, final Connection connection, final SharedParts parts)
    {
        this.owner = owner;
        this.connection = connection;
        progress = parts.progress();
        attendance = parts.attendance();
        silences = parts.silences();
    }

    /**
     * Makes the progress thread, which calls this, serve a passive connection.
     */
    void beginPassive()
    {
        connection.updateInterest();
        silences.add(this);
    }

    /**
     * Makes threads that sleep in channels serve an active connection; called by the progress thread.
     *
     * @param among the channels may be null, and the same one.
     */
    void beginActive(final CompletionChannel... among)
    {
        attendance.add(connection);
        silences.add(this);
        channels = Arrays.stream(among)
            .filter(TcpCompletionChannel.class::isInstance)
            .map(TcpCompletionChannel.class::cast)
            .distinct()
            .toArray(TcpCompletionChannel[]::new);
        for (final TcpCompletionChannel channel : channels)
        {
            channel.add(connection);
        }
    }

    /**
     * Ends what is left of the connection, which its queue pair does not know any more; from any thread.
     */
    void end()
    {
        for (final TcpCompletionChannel channel : channels)
        {
            channel.remove(connection);
        }
        progress.execute(this::retire);
    }

    @Override
    public void ready()
    {
        if (connection.isActive() && (!connection.isUnattended() || connection.isAttended()))
        {
            connection.unattended(false);
            attendance.resume();
            return;
        }
        owner.serve(connection);
    }

    @Override
    public void failed()
    {
        // Reading reports the failure to the queue pair.
        progress.attend(owner);
    }

    @Override
    public void watch(final long passedNs)
    {
        owner.watch(connection, passedNs);
    }

    private void retire()
    {
        attendance.remove(connection);
        silences.remove(this);
        if (connection.isAbandoned())
        {
            Sockets.reset(connection.socket());
            return;
        }
        final SelectionKey key = connection.key();
        Lingering.begin(progress, connection.socket(), key);
    }
}
