package org.onesided.verbs;

/**
 * What a GID is used for.
 */
public enum GidType
{
    /** InfiniBand. */
    IB("IB"),
    /** RoCE over Ethernet frames, which no router forwards. */
    ROCE_V1("RoCE v1"),
    /** RoCE over UDP. */
    ROCE_V2("RoCE v2"),
    /** A software device's own address. */
    SOFTWARE("software");

    private final String text;

    GidType(final String text)
    {
        this.text = text;
    }

    /**
     * @return as show_gids and the kernel name it.
     */
    @Override
    public String toString()
    {
        return text;
    }
}
