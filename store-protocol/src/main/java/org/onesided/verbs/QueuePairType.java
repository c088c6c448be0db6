package org.onesided.verbs;

/**
 * Transport of a queue pair, with the values of {@code enum ibv_qp_type}.
 */
public enum QueuePairType
{
    /** Reliable connection: the one that this project uses. */
    RC(2),
    /** Unreliable connection: has neither READs nor acknowledgements. Refused. */
    UC(3),
    /** Unreliable datagram. Refused. */
    UD(4);

    private final int value;

    QueuePairType(final int value)
    {
        this.value = value;
    }

    /**
     * @return as libibverbs has it.
     */
    public int value()
    {
        return value;
    }

    /**
     * Refuses what is not a reliable connection, by name.
     *
     * @throws VerbsException with {@code EOPNOTSUPP} for any type but {@link #RC}.
     */
    public void checkSupported()
    {
        if (this != RC)
        {
            throw new VerbsException("create_qp", Errno.EOPNOTSUPP,
                "only reliable connections have READs and acknowledgements, use RC: qp_type=" + this);
        }
    }
}
