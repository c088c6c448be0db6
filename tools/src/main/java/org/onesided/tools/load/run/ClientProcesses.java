package org.onesided.tools.load.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.onesided.tools.load.output.ClientTotals;
import org.onesided.tools.load.output.PhaseResult;
import org.onesided.tools.load.output.StoreFacts;
import org.onesided.tools.load.output.Verification;

/**
 * Several client processes that run each phase at the same time. If one dies, its reports are kept and the others
 * continue. For one thread.
 */
final class ClientProcesses implements Clients
{
    private static final long INTERVAL_MS = 1000;
    private static final long NS_PER_MS = 1_000_000;
    private static final int NO_EXIT_CODE = -1;

    private final BlockingQueue<ClientProcess.Event> events = new LinkedBlockingQueue<>();
    private final List<ClientProcess> processes = new ArrayList<>();
    private final boolean[] isAlive;
    private final int[] exitCodes;
    private StoreFacts facts;
    private Phase phase;

    /**
     * Starts the processes and waits until all are connected.
     *
     * @param commands to start them.
     * @throws ClientProcessException if a process cannot connect.
     */
    ClientProcesses(final List<List<String>> commands)
    {
        isAlive = new boolean[commands.size()];
        exitCodes = new int[commands.size()];
        boolean isReady = false;
        try
        {
            for (final List<String> command : commands)
            {
                isAlive[processes.size()] = true;
                processes.add(new ClientProcess(command, processes.size(), events));
            }
            awaitReady();
            isReady = true;
        }
        catch (final IOException e)
        {
            throw new ClientProcessException("cannot start a client process: " + e.getMessage(), NO_EXIT_CODE, e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new ClientProcessException("told to stop before the clients were connected", NO_EXIT_CODE, e);
        }
        finally
        {
            if (!isReady)
            {
                close();
            }
        }
    }

    @Override
    public StoreFacts facts()
    {
        return facts;
    }

    @Override
    public PhaseEnd run(final RunPlan.Phases which, final PhaseListener listener)
    {
        phase = new Phase(listener);
        order(which.name());
        boolean isInterrupted = false;
        while (phase.isRunning())
        {
            try
            {
                phase.take(events.take());
            }
            catch (final InterruptedException e)
            {
                isInterrupted = true;
                order(ClientServant.STOP);
            }
            catch (final IOException e)
            {
                throw new ClientProcessException("a client process sent an invalid message: " + e.getMessage(),
                    NO_EXIT_CODE, e);
            }
        }
        return phase.end(isInterrupted);
    }

    @Override
    public void close()
    {
        processes.forEach(ClientProcess::close);
    }

    private void order(final String order)
    {
        for (int i = 0; i < processes.size(); i++)
        {
            if (isAlive[i])
            {
                processes.get(i).order(order);
            }
        }
    }

    private void awaitReady() throws InterruptedException, IOException
    {
        String reason = "it ended";
        int ready = 0;
        while (ready < processes.size())
        {
            final ClientProcess.Event event = events.take();
            if (event.message() == null)
            {
                isAlive[event.number()] = false;
                throw new ClientProcessException(reason, event.exitCode(), null);
            }
            if (event.message().kind() == ClientMessage.Kind.FAILED)
            {
                reason = event.message().body(String.class);
            }
            else
            {
                facts = event.message().body(StoreFacts.class);
                ready++;
            }
        }
    }

    /** A phase, until all processes have ended it. */
    private final class Phase
    {
        private final PhaseListener listener;
        private final boolean[] hasEnded = new boolean[processes.size()];
        private final Map<Integer, String> reasons = new TreeMap<>();
        private final Map<Long, Stretch> stretches = new TreeMap<>();
        private final List<Interval> sums = new ArrayList<>();
        private final List<String> lost = new ArrayList<>();
        private PhaseEnd sum;
        private boolean isMeasuring;

        Phase(final PhaseListener listener)
        {
            this.listener = listener;
            for (int i = 0; i < processes.size(); i++)
            {
                sums.add(new Interval(0, 0));
                hasEnded[i] = !isAlive[i];
                if (hasEnded[i])
                {
                    add(dead(i, exitCodes[i]));
                }
            }
        }

        boolean isRunning()
        {
            for (final boolean has : hasEnded)
            {
                if (!has)
                {
                    return true;
                }
            }
            return false;
        }

        void take(final ClientProcess.Event event) throws IOException
        {
            final int number = event.number();
            final ClientMessage message = event.message();
            if (message == null)
            {
                isAlive[number] = false;
                exitCodes[number] = event.exitCode();
                if (hasEnded[number])
                {
                    // Between its end and that of the others: its work is known, but it does no more.
                    lost.add(goneNote(number, event.exitCode()));
                }
                else
                {
                    hasEnded[number] = true;
                    add(dead(number, event.exitCode()));
                }
                passOn(false);
                return;
            }
            switch (message.kind())
            {
                case WARMING_UP -> listener.warmingUp(message.body(Long.class));
                case MEASURING -> measuring();
                case INTERVAL -> add(number, message.body(Interval.class));
                case FAILED -> reasons.put(number, message.body(String.class));
                case END ->
                {
                    hasEnded[number] = true;
                    add(message.body(PhaseEnd.class));
                }
                default -> throw new IOException("unexpected: message=" + message.kind());
            }
            passOn(false);
        }

        PhaseEnd end(final boolean isInterrupted)
        {
            measuring();
            passOn(true);
            if (!lost.isEmpty())
            {
                return sum.with(PhaseResult.Ending.FAILED, lost);
            }
            return sum.with(
                isInterrupted && sum.ending() == PhaseResult.Ending.DONE ? PhaseResult.Ending.INTERRUPTED :
                    sum.ending(), List.of());
        }

        private String goneNote(final int number, final int exitCode)
        {
            return "client " + (number + 1) + " of " + processes.size() + " ended early: " +
                reasons.getOrDefault(number, "it died") + " (exit code " + exitCode +
                "); this phase has all that it did";
        }

        private void measuring()
        {
            if (!isMeasuring)
            {
                isMeasuring = true;
                listener.measuring();
            }
        }

        private void add(final int number, final Interval interval)
        {
            final Interval own = new Interval(0, interval.startMs() + interval.lengthMs());
            own.add(sums.get(number));
            own.add(interval);
            sums.set(number, own);
            final Stretch stretch = stretches.computeIfAbsent(interval.startMs() / INTERVAL_MS, s -> new Stretch());
            stretch.sum = stretch.sum == null ? interval : stretch.sum.with(interval);
            stretch.clients++;
        }

        private void add(final PhaseEnd end)
        {
            sum = sum == null ? end : sum.plus(end);
        }

        /** Passes finished intervals to the listener, in order. */
        private void passOn(final boolean isAll)
        {
            int running = 0;
            for (final boolean has : hasEnded)
            {
                running += has ? 0 : 1;
            }
            final int wanted = running;
            stretches.values().removeIf(stretch ->
            {
                final boolean isDone = isAll || stretch.clients >= processes.size() || wanted == 0;
                if (isDone)
                {
                    listener.interval(stretch.sum);
                }
                return isDone;
            });
        }

        private PhaseEnd dead(final int number, final int exitCode)
        {
            final Interval told = sums.get(number);
            final String reason = reasons.getOrDefault(number, "it died");
            return new PhaseEnd(
                PhaseResult.Ending.FAILED,
                told.lengthMs() * NS_PER_MS,
                told.doneCount(),
                told.failedCount(),
                0,
                told.conflicts(),
                false,
                List.of(),
                new Verification(0, List.of()),
                ClientTotals.NONE,
                0,
                List.of("client " + (number + 1) + " of " + processes.size() + " ended early: " + reason +
                    " (exit code " + exitCode + "); what it did after its first " +
                    TimeUnit.MILLISECONDS.toSeconds(told.lengthMs()) +
                    " s, and what its READs and failures were, is not in the result"));
        }
    }

    /** An interval of several clients. */
    private static final class Stretch
    {
        private Interval sum;
        private int clients;
    }
}
