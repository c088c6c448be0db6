package org.onesided.verbs;

/**
 * State of a port, with the values of {@code enum ibv_port_state}.
 */
public enum PortState
{
    /** Not known. */
    NOP,
    /** No link, or the interface is down. */
    DOWN,
    /** The link is up; the subnet manager has not configured the port yet. */
    INIT,
    /** Configured, not yet let to carry traffic. */
    ARMED,
    /** Carries traffic. */
    ACTIVE,
    /** Was active; the link is lost for the moment. */
    ACTIVE_DEFER;

    private static final PortState[] VALUES = values();

    /**
     * @param value as libibverbs has it.
     * @return the state; {@link #NOP} for a value that is not known.
     */
    public static PortState of(final int value)
    {
        return value >= 0 && value < VALUES.length ? VALUES[value] : NOP;
    }
}
