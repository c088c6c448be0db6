package org.onesided.tools.kvctl.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreException;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;

/**
 * Lets other members lead partitions, one after the other, and waits for each of them until clients can use it.
 */
final class LeaderMoves
{
    /** A new leader serves after a moment, or, if the handover was not in order, after a wait of up to 75 s. */
    private static final Duration LONGEST = Duration.ofSeconds(90);

    private final StoreClientBuilder builder;
    private final Set<String> servers;
    private final Consumer<String> progress;

    /**
     * @param builder  with everything but the server.
     * @param servers  members to ask.
     * @param progress takes a line for each move.
     */
    LeaderMoves(final StoreClientBuilder builder, final Set<String> servers, final Consumer<String> progress)
    {
        this.builder = builder;
        this.servers = servers;
        this.progress = progress;
    }

    /** What members know. */
    ClusterView look()
    {
        return MemberSurvey.look(builder, servers);
    }

    /**
     * Moves all, in their order.
     *
     * @param moves to make; what a former call has moved is to be left out.
     * @throws CommandException if one does not succeed; those before it stay.
     */
    void run(final List<Move> moves)
    {
        for (int i = 0; i < moves.size(); i++)
        {
            final Move move = moves.get(i);
            final long beganNs = System.nanoTime();
            final ClusterView after = move(move);
            if (after.partitions().get(move.partition()).leader() != move.to())
            {
                throw new CommandException(ExitCode.FAILED, "another member leads the partition now, repeat the " +
                    "command: partition=" + move.partition() + " leader=" +
                    after.partitions().get(move.partition()).leader() + " wanted=" + move.to());
            }
            progress.accept("moved " + (i + 1) + " of " + moves.size() + ": " + move.text() +
                " took=" + (System.nanoTime() - beganNs) / 1_000_000 + "ms");
        }
    }

    private ClusterView move(final Move move)
    {
        final String leader = look().address(move.from());
        final Optional<String> refusal;
        try
        {
            refusal = builder.server(leader).transferPartition(move.partition(), move.to());
        }
        catch (final StoreException e)
        {
            throw new CommandException(Failures.exitCode(e), e.getMessage(), e);
        }
        if (refusal.isPresent())
        {
            throw new CommandException(ExitCode.FAILED, refusal.get() + " server=" + leader);
        }
        final ClusterView after =
            ClusterWait.await(this::look, (view) -> view.partitions().get(move.partition()).isServed(), LONGEST);
        if (!after.partitions().get(move.partition()).isServed())
        {
            throw new CommandException(ExitCode.NOT_SERVED, "the new leader does not serve the partition in time: " +
                "partition=" + move.partition() + " member=" + move.to());
        }
        return after;
    }
}
