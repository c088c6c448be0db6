package org.onesided.verbs.shm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Errno;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.ThreadEnd;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.PollDescriptor;
import org.onesided.verbs.posix.Posix;

/**
 * Notices when the processes of peers die. Each context holds a FIFO open for writing while it lives; the kernel
 * notifies readers when the last writer is gone. One thread sleeps on all of them.
 *
 * <p>Agrona's {@code AgentRunner} does not fit: it repeats a failed agent, while this thread must end at its first
 * failure and report all peers as gone, and its interrupts do not end poll(2).
 */
final class LifeWatcher
{
    private static final int PIPE_OFFSET = 0;
    private static final int DRAIN_OFFSET = 64;
    private static final int DRAIN_LENGTH = 64;

    private final Consumer<PeerContext> onGone;
    private final Runnable quiesce;
    private final Runnable onFailed;
    private final String name;
    private final NativeArray memory = new NativeArray(DRAIN_OFFSET + DRAIN_LENGTH);
    private final List<PeerContext> peers = new ArrayList<>();
    private final List<PeerContext> unwatched = new ArrayList<>();
    private final List<SharedMapping> retired = new ArrayList<>();
    private int pipeOut = -1;
    private int pipeIn = -1;
    private Thread thread;
    private boolean stopped;
    private boolean failed;

    /**
     * @param onGone   called on the watcher's thread with a peer that died.
     * @param quiesce  waits until the requests being executed have ended.
     * @param onFailed called by the thread if it ends without being stopped.
     * @param name     of the thread.
     */
    LifeWatcher(
        final Consumer<PeerContext> onGone, final Runnable quiesce, final Runnable onFailed, final String name)
    {
        this.onFailed = onFailed;
        this.onGone = onGone;
        this.quiesce = quiesce;
        this.name = name;
    }

    /**
     * Watches a peer. If the watcher has failed, the peer counts as gone.
     */
    synchronized void add(final PeerContext peer)
    {
        if (failed)
        {
            peer.gone(true);
            return;
        }
        if (thread == null)
        {
            start();
        }
        peers.add(peer);
        wake();
    }

    /**
     * Stops watching a peer, then closes it.
     */
    void remove(final PeerContext peer)
    {
        synchronized (this)
        {
            peers.remove(peer);
            if (thread != null && !failed)
            {
                unwatched.add(peer);
                wake();
                return;
            }
        }
        peer.close();
    }

    /**
     * Unmaps a mapping that no new request can reach, after the running requests have ended. The watcher's thread does
     * this, because it holds no locks.
     */
    synchronized void retire(final SharedMapping mapping)
    {
        retired.add(mapping);
        wake();
    }

    /**
     * Ends the thread and waits for it.
     *
     * @throws VerbsException with {@code EBUSY} if it does not end in time; what it uses is not freed then.
     */
    void stop()
    {
        final Thread running;
        synchronized (this)
        {
            stopped = true;
            running = thread;
            if (running != null)
            {
                wake();
            }
        }
        if (running != null)
        {
            final String stuck = ThreadEnd.await(running, ThreadEnd.PATIENCE_NS);
            if (stuck != null)
            {
                // The thread may still use these resources.
                throw new VerbsException("close_device", Errno.EBUSY, stuck);
            }
            closeUnwatched();
            closeRetired();
            Posix.close(pipeOut);
            Posix.close(pipeIn);
        }
        memory.close();
    }

    private void start()
    {
        final long pipe = memory.range().address() + PIPE_OFFSET;
        Posix.pipe(pipe);
        pipeOut = UnsafeApi.getInt(pipe);
        pipeIn = UnsafeApi.getInt(pipe + Integer.BYTES);
        final Thread starting = new Thread(this::run, name);
        starting.setDaemon(true);
        try
        {
            starting.start();
            thread = starting;
        }
        finally
        {
            if (thread == null)
            {
                Posix.close(pipeOut);
                Posix.close(pipeIn);
                pipeOut = -1;
                pipeIn = -1;
            }
        }
    }

    private void wake()
    {
        // The result does not matter: a full pipe also wakes the thread.
        Posix.write(pipeIn, memory.range().address() + PIPE_OFFSET, 1);
    }

    private void run()
    {
        NativeArray fds = null;
        try
        {
            while (true)
            {
                closeUnwatched();
                closeRetired();
                final List<PeerContext> watched;
                synchronized (this)
                {
                    if (stopped)
                    {
                        return;
                    }
                    watched = new ArrayList<>(peers);
                }
                fds = fill(fds, watched);
                Posix.poll(fds.range().address(), watched.size() + 1, -1);
                drain();
                report(fds.range().address(), watched);
            }
        }
        catch (final RuntimeException | Error ex)
        {
            // Nobody would notice a death any more. Report all peers as gone, so that nobody waits for ever.
            giveUp();
            throw ex;
        }
        finally
        {
            if (fds != null)
            {
                fds.close();
            }
        }
    }

    private NativeArray fill(final NativeArray old, final List<PeerContext> watched)
    {
        final long length = (watched.size() + 1L) * PollDescriptor.LENGTH;
        NativeArray fds = old;
        if (old == null || old.range().length() < length)
        {
            if (old != null)
            {
                old.close();
            }
            fds = new NativeArray(2 * length);
        }
        long address = fds.range().address();
        put(address, pipeOut, Posix.POLLIN);
        for (final PeerContext peer : watched)
        {
            address += PollDescriptor.LENGTH;
            put(address, peer.lifeFd(), 0);
        }
        return fds;
    }

    private void report(final long fds, final List<PeerContext> watched)
    {
        for (int i = 0; i < watched.size(); i++)
        {
            final long entry = fds + (i + 1L) * PollDescriptor.LENGTH;
            if ((UnsafeApi.getShort(entry + PollDescriptor.RETURNED_EVENTS_OFFSET) & Posix.POLLHUP) != 0)
            {
                gone(watched.get(i));
            }
        }
    }

    private void gone(final PeerContext peer)
    {
        synchronized (this)
        {
            if (!peers.remove(peer))
            {
                return;
            }
        }
        peer.gone(true);
        onGone.accept(peer);
    }

    private void giveUp()
    {
        final List<PeerContext> all;
        synchronized (this)
        {
            failed = true;
            all = new ArrayList<>(peers);
        }
        onFailed.run();
        all.forEach(this::gone);
    }

    private void drain()
    {
        long count;
        do
        {
            count = Posix.read(pipeOut, memory.range().address() + DRAIN_OFFSET, DRAIN_LENGTH);
        }
        while (count == DRAIN_LENGTH);
    }

    private void closeUnwatched()
    {
        final List<PeerContext> closing;
        synchronized (this)
        {
            closing = new ArrayList<>(unwatched);
            unwatched.clear();
        }
        closing.forEach(PeerContext::close);
    }

    private void closeRetired()
    {
        final List<SharedMapping> closing;
        synchronized (this)
        {
            closing = new ArrayList<>(retired);
            retired.clear();
        }
        if (!closing.isEmpty())
        {
            quiesce.run();
            closing.forEach(SharedMapping::close);
        }
    }

    private static void put(final long address, final int fd, final int events)
    {
        UnsafeApi.putInt(address + PollDescriptor.FD_OFFSET, fd);
        UnsafeApi.putShort(address + PollDescriptor.EVENTS_OFFSET, (short)events);
        UnsafeApi.putShort(address + PollDescriptor.RETURNED_EVENTS_OFFSET, (short)0);
    }
}
