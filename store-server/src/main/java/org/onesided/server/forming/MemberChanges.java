package org.onesided.server.forming;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.data.TableIdentity;
import org.onesided.server.raft.MembersChangeException;

/**
 * What a member of a cluster knows of the others, and does when they are to change. Thread-safe.
 */
public interface MemberChanges
{
    /**
     * @return the cluster.
     */
    ClusterDescription description();

    /**
     * @return the table, which a new member must know.
     */
    TableIdentity identity();

    /**
     * @return how many partitions it has.
     */
    int shards();

    /**
     * @return whether members talk within TLS.
     */
    boolean isPeerTls();

    /**
     * @return numbers of the members of each partition that this one leads, as far as they are known.
     */
    Map<Integer, List<Long>> led();

    /**
     * Notes, durably, that a member comes, before any partition has it.
     *
     * @param member that comes.
     * @throws MembersChangeException if its number was given before, or its address is another member's.
     */
    void announce(ClusterMember member) throws MembersChangeException;

    /**
     * Notes, durably, that a member that no partition has will not come, or not come back.
     *
     * @param number of the member.
     * @throws MembersChangeException if a partition has it; or if it is this one, and it keeps a partition as far as it
     *                                knows.
     */
    void forget(long number) throws MembersChangeException;

    /**
     * This member is about to get a partition. If it takes no part in its log any more, as it kept it once, it starts
     * again.
     *
     * @param shard number of the partition.
     */
    void take(int shard);

    /**
     * Changes who keeps a partition.
     *
     * @param change to make.
     * @return completes when it is made; fails with a {@link MembersChangeException}.
     */
    CompletableFuture<Void> change(MemberChange change);

    /**
     * @param shard   of a partition that this member leads.
     * @param numbers of members that are being added.
     * @return entries that the one which lacks most has to get; 0 if that is not known.
     */
    long behind(int shard, Collection<Long> numbers);
}
