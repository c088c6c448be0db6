package org.onesided.client;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.agrona.CloseHelper;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.BootstrapConnection;
import org.onesided.client.bootstrap.ClusterConnection;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.bootstrap.MemberAnswer;
import org.onesided.client.bootstrap.MembersRequest;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.types.ClusterFoundation;

/**
 * The connection to a member of a cluster, to change the members. The member waits for two minutes for what it is to
 * do. Not thread-safe.
 */
public final class ClusterMember implements AutoCloseable
{
    /** The member says something once a second. */
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(15);

    /** What became of a change. */
    public enum Outcome
    {
        /** It is made. */
        DONE,
        /** Another member leads the partition, or is about to: ask again who. */
        NOT_LEADING,
        /** Another change is under way: it can be tried again. */
        BUSY,
        /** The connection broke: it may be made or not. */
        LOST
    }

    private final HostAndPort address;
    private final long deadlineNs;
    private final ClusterConnection connection;
    private final MemberAnswer answer;

    private ClusterMember(
        final HostAndPort address,
        final long deadlineNs,
        final ClusterConnection connection,
        final MemberAnswer answer)
    {
        this.address = address;
        this.deadlineNs = deadlineNs;
        this.connection = connection;
        this.answer = answer;
    }

    /** As {@link StoreClientBuilder#connectMember()}. */
    static ClusterMember connect(final ClientConfiguration configuration)
    {
        final HostAndPort address = HostAndPort.parse(configuration.server());
        ClusterConnection connection = null;
        try
        {
            connection = new ClusterConnection(new BootstrapConnection(
                address, configuration.tls(), System.nanoTime() + configuration.deadlineNs(), null));
            final MemberAnswer answer = connection.askMember(configuration.token());
            final ClusterMember member =
                new ClusterMember(address, configuration.deadlineNs(), connection, answer);
            connection = null;
            return member;
        }
        catch (final AttachFailedException e)
        {
            throw e.toStoreException(FailureContext.ofServer(address.toString()));
        }
        finally
        {
            CloseHelper.quietClose(connection);
        }
    }

    /**
     * @return its number.
     */
    public long number()
    {
        return answer.self();
    }

    /**
     * @return number for the next new member, as far as this one knows: take the highest of all members.
     */
    public long next()
    {
        return answer.next();
    }

    /**
     * @return whether it talks to other members within TLS only; all do, or none.
     */
    public boolean isPeerTls()
    {
        return answer.isPeerTls();
    }

    /**
     * @return what a new member must know; with all members that keep partitions, or were announced.
     */
    public ClusterFoundation foundation()
    {
        return answer.foundation();
    }

    /**
     * @return numbers of the members that keep a partition, of each that this one led when it was connected; a
     *         partition is missing if that is not known.
     */
    public Map<Integer, List<Long>> led()
    {
        return answer.led();
    }

    /**
     * Tells the member that a new one comes. All members should know before the first partition gets it, as they take
     * connections of members only that they know.
     *
     * @param member that comes.
     * @throws org.onesided.client.exceptions.StoreException if its number or address is another member's, or the member
     *                                                       does not answer in time.
     */
    public void announce(final ClusterFoundation.Member member)
    {
        request(MembersRequest.announce(member, false), deadlineNs, (behind) -> { });
    }

    /**
     * Tells the member that another one, which keeps nothing, does not come, or does not come back.
     *
     * @param member to forget.
     * @throws org.onesided.client.exceptions.StoreException if it keeps a partition, or the member does not answer in
     *                                                       time.
     */
    public void forget(final ClusterFoundation.Member member)
    {
        request(MembersRequest.announce(member, true), deadlineNs, (behind) -> { });
    }

    /**
     * As {@link #forget}, for callers that must know whether the member refuses, or could not be told.
     *
     * @param member to forget.
     * @return why it refuses, such as that it knows of a partition that the other one keeps, in one line; empty if it
     *         has forgotten. If it refuses, this connection is at its end.
     * @throws org.onesided.client.exceptions.StoreException if the member does not answer in time.
     */
    public Optional<String> tryForget(final ClusterFoundation.Member member)
    {
        try
        {
            connection.changeMembers(MembersRequest.announce(member, true), deadlineNs, (behind) -> { });
            return Optional.empty();
        }
        catch (final AttachFailedException e)
        {
            if (e.kind() == AttachFailedException.Kind.PERMANENT)
            {
                return Optional.of(e.getMessage());
            }
            throw e.toStoreException(FailureContext.ofServer(address.toString()));
        }
    }

    /**
     * Tells the member that it is about to get a partition, by a change at its leader. If it kept the partition once,
     * it takes no part in its log any more: then it starts again, once others lead what it leads.
     *
     * @param partition that it gets.
     * @throws org.onesided.client.exceptions.StoreException if it does not answer in time.
     */
    public void take(final int partition)
    {
        request(MembersRequest.take(partition), deadlineNs, (behind) -> { });
    }

    /**
     * Changes who keeps a partition, and waits until those who are new have all entries. If the caller goes away, the
     * change goes on.
     *
     * @param partition  to change, which this member leads.
     * @param before     numbers of those who keep it now; if that is not so, nothing is changed.
     * @param after      who shall keep it.
     * @param onProgress hears once a second how many entries the new member lacks that lacks most; 0 if that is not
     *                   known.
     * @return what became of it. If it is not done, this connection is at its end.
     * @throws org.onesided.client.exceptions.StoreException if it cannot be so.
     */
    public Outcome change(
        final int partition,
        final Collection<Long> before,
        final List<ClusterFoundation.Member> after,
        final LongConsumer onProgress)
    {
        try
        {
            connection.changeMembers(MembersRequest.change(partition, before, after), SILENCE_NS, onProgress);
            return Outcome.DONE;
        }
        catch (final AttachFailedException e)
        {
            if (e.kind() == AttachFailedException.Kind.NOT_LEADING)
            {
                return Outcome.NOT_LEADING;
            }
            if (e.kind() == AttachFailedException.Kind.BUSY)
            {
                return Outcome.BUSY;
            }
            if (!e.isFinal())
            {
                return Outcome.LOST;
            }
            throw e.toStoreException(FailureContext.ofServer(address.toString()));
        }
    }

    private void request(final MembersRequest request, final long silenceNs, final LongConsumer onProgress)
    {
        try
        {
            connection.changeMembers(request, silenceNs, onProgress);
        }
        catch (final AttachFailedException e)
        {
            throw e.toStoreException(FailureContext.ofServer(address.toString()));
        }
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(connection);
    }
}
