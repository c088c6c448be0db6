package org.onesided.tools.kvctl.cluster;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;

/**
 * Waits until a cluster stands as it should.
 */
final class ClusterWait
{
    private static final long LOOK_MS = 200;

    private ClusterWait()
    {
    }

    /**
     * Looks until the cluster stands as it should, or time is up. Members that do not answer meanwhile may yet.
     *
     * @param look    asks the members.
     * @param isDone  whether it stands so.
     * @param longest to wait.
     * @return the last look.
     * @throws CommandException if no member answered the last look, or it fails by itself.
     */
    static ClusterView await(
        final Supplier<ClusterView> look, final Predicate<ClusterView> isDone, final Duration longest)
    {
        final long endNs = System.nanoTime() + longest.toNanos();
        while (true)
        {
            try
            {
                final ClusterView view = look.get();
                if (isDone.test(view) || System.nanoTime() - endNs >= 0)
                {
                    return view;
                }
            }
            catch (final CommandException e)
            {
                // The address or the credentials do not get better.
                if (e.exitCode() != ExitCode.CANNOT_CONNECT || e.getCause() instanceof StoreAccessException ||
                    System.nanoTime() - endNs >= 0)
                {
                    throw e;
                }
            }
            sleep();
        }
    }

    private static void sleep()
    {
        try
        {
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new CommandException(ExitCode.FAILED, "interrupted while it waited for the members", e);
        }
    }
}
