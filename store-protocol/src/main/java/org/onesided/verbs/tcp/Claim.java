package org.onesided.verbs.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * An accepted connection that has not named its queue pair yet, or waits until that is ready. Used by the progress
 * thread.
 */
final class Claim extends Timed
{
    /**
     * Knows all claims.
     */
    interface Keeper
    {
        /**
         * The claim waits for its queue pair to become ready.
         */
        void waits(Claim claim);

        /**
         * The claim has ended.
         */
        void ended(Claim claim);
    }

    /** Time limit for the request to arrive and the queue pair to become ready. */
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final Progress progress;
    private final Reception reception;
    private final Keeper keeper;
    private final SocketChannel socket;
    private final Object origin;
    private final ByteBuffer request = ByteBuffer.allocate(MpaStart.LENGTH);
    private SelectionKey key;
    private boolean over;

    Claim(
        final Progress progress,
        final Reception reception,
        final Keeper keeper,
        final SocketChannel socket,
        final Object origin)
    {
        super(TIMEOUT_NS);
        this.progress = progress;
        this.reception = reception;
        this.keeper = keeper;
        this.socket = socket;
        this.origin = origin;
    }

    void begin() throws IOException
    {
        Sockets.setUp(socket);
        key = progress.register(socket, SelectionKey.OP_READ, this);
        progress.add(this);
    }

    /**
     * @return what its listener counts it by.
     */
    Object origin()
    {
        return origin;
    }

    /**
     * @return whether its request is there as a whole: it has shown the secret of a queue pair that is not ready yet.
     */
    boolean hasAsked()
    {
        return !request.hasRemaining();
    }

    @Override
    public void ready()
    {
        if (over)
        {
            return;
        }
        try
        {
            if (!request.hasRemaining())
            {
                // The peer must wait for the reply. It has ended the connection, or violates the protocol.
                end(StartFault.BROKEN_OFF);
                return;
            }
            if (socket.read(request) < 0)
            {
                end(leaving());
                return;
            }
            final StartFault fault = !MpaStart.mayBeRequest(request) ? StartFault.GARBAGE :
                request.position() >= MpaStart.HEADER_LENGTH && !MpaStart.isRequest(request) ?
                    StartFault.UNKNOWN_REQUEST : null;
            if (fault != null)
            {
                refuse(fault);
            }
            else if (!request.hasRemaining())
            {
                decide();
            }
        }
        catch (final IOException ex)
        {
            end(leaving());
        }
    }

    /**
     * Asks the queue pair that is named.
     */
    void decide()
    {
        if (over)
        {
            return;
        }
        final MpaStart start = MpaStart.wrap(request.array());
        if (!start.isUnderstood())
        {
            refuse(StartFault.UNKNOWN_REQUEST);
            return;
        }
        final ClaimOutcome outcome = reception.claim(start, socket, key);
        switch (outcome)
        {
            case ACCEPTED -> end();
            case WAITING -> keeper.waits(this);
            default -> refuse(outcome.fault());
        }
    }

    @Override
    void expire()
    {
        end(hasAsked() ? StartFault.NOT_READY : StartFault.SILENT);
    }

    @Override
    public void failed()
    {
        end(StartFault.RESOURCES);
    }

    @Override
    void closed()
    {
        if (!over)
        {
            // This is no fault of either side.
            end();
            Sockets.close(socket);
        }
    }

    /**
     * Closes the connection without an answer.
     */
    void end(final StartFault fault)
    {
        if (!over)
        {
            end();
            reception.refused(fault, socket);
            Sockets.close(socket);
        }
    }

    private StartFault leaving()
    {
        return request.position() == 0 ? StartFault.LEFT : StartFault.BROKEN_OFF;
    }

    private void refuse(final StartFault fault)
    {
        if (!over)
        {
            end();
            reception.refused(fault, socket);
            try
            {
                socket.write(MpaStart.refusal());
            }
            catch (final IOException ex)
            {
                Sockets.close(socket);
                return;
            }
            Lingering.begin(progress, socket, key);
        }
    }

    private void end()
    {
        over = true;
        keeper.ended(this);
        progress.remove(this);
    }
}
