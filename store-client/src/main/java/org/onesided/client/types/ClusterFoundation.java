package org.onesided.client.types;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * What blank servers are told to become: the members of a cluster, which keep one table. Immutable.
 *
 * @param table      what nobody but the members may know of the table.
 * @param partitions of the table.
 * @param replicas   how many members keep each partition; 0 if all do.
 * @param leaseMs    for how long a client may believe what a leader's memory says, in milliseconds.
 * @param members    all of them.
 */
public record ClusterFoundation(Table table, int partitions, int replicas, long leaseMs, List<Member> members)
{
    /** Length of a session key in bytes. */
    private static final int KEY_LENGTH = 32;

    /**
     * Copies the list.
     *
     * @param table      what nobody but the members may know of the table.
     * @param partitions of the table.
     * @param replicas   how many members keep each partition; 0 if all do.
     * @param leaseMs    for how long a client may believe what a leader's memory says, in milliseconds.
     * @param members    all of them.
     */
    public ClusterFoundation
    {
        members = List.copyOf(members);
    }

    /**
     * A cluster in which all members keep each partition.
     *
     * @param table      what nobody but the members may know of the table.
     * @param partitions of the table.
     * @param leaseMs    for how long a client may believe what a leader's memory says, in milliseconds.
     * @param members    all of them.
     */
    public ClusterFoundation(
        final Table table, final int partitions, final long leaseMs, final List<Member> members)
    {
        this(table, partitions, 0, leaseMs, members);
    }

    /**
     * A member.
     *
     * @param number      from 1.
     * @param address     host and port where clients connect.
     * @param peerAddress host and port where other members connect.
     */
    public record Member(long number, String address, String peerAddress)
    {
    }

    /**
     * The identity of a table, drawn at random.
     *
     * @param id        names the table.
     * @param life      names the time since the table was founded.
     * @param hashSeed  of the keys' hashes.
     * @param checkSeed of the records' check words.
     * @param key       from which members compute the secrets of sessions.
     */
    public record Table(long id, long life, long hashSeed, long checkSeed, byte[] key)
    {
        /**
         * @return the identity of a new table.
         */
        public static Table draw()
        {
            final SecureRandom random = new SecureRandom();
            final byte[] key = new byte[KEY_LENGTH];
            random.nextBytes(key);
            return new Table(id(random), id(random), random.nextLong(), random.nextLong(), key);
        }

        /** Not 0, which names nothing. */
        private static long id(final SecureRandom random)
        {
            long id = random.nextLong();
            while (id == 0)
            {
                id = random.nextLong();
            }
            return id;
        }

        /** Nothing of the key gets into a log. */
        @Override
        public String toString()
        {
            return "Table[id=" + Long.toHexString(id) + "]";
        }
    }

    /**
     * Draws a table for members, which get the numbers from 1 in their order. All of them keep each partition.
     *
     * @param partitions    of the table.
     * @param leaseMs       for how long a client may believe what a leader's memory says, in milliseconds.
     * @param addresses     host and port where clients connect, of each member.
     * @param peerAddresses host and port where other members connect, of each member.
     * @return what the members are to be told.
     */
    public static ClusterFoundation draw(
        final int partitions, final long leaseMs, final List<String> addresses, final List<String> peerAddresses)
    {
        return draw(partitions, 0, leaseMs, addresses, peerAddresses);
    }

    /**
     * Draws a table for members, which get the numbers from 1 in their order.
     *
     * @param partitions    of the table.
     * @param replicas      how many members keep each partition, an odd number, and fewer than there are; 0 if all do.
     * @param leaseMs       for how long a client may believe what a leader's memory says, in milliseconds.
     * @param addresses     host and port where clients connect, of each member.
     * @param peerAddresses host and port where other members connect, of each member.
     * @return what the members are to be told.
     */
    public static ClusterFoundation draw(
        final int partitions,
        final int replicas,
        final long leaseMs,
        final List<String> addresses,
        final List<String> peerAddresses)
    {
        final List<Member> members = new ArrayList<>();
        for (int i = 0; i < addresses.size(); i++)
        {
            members.add(new Member(i + 1, addresses.get(i), peerAddresses.get(i)));
        }
        return new ClusterFoundation(Table.draw(), partitions, replicas, leaseMs, members);
    }
}
