package org.onesided.protocol.bootstrap;

import java.net.ProtocolException;
import java.util.regex.Pattern;

/**
 * Names of zones: racks, data centres or the like, whose servers may all fail at once.
 */
public final class ZoneName
{
    /** What a name may be, for messages. */
    public static final String RULE = "1 to 32 letters, digits, '-', '_' or '.'";
    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._-]{1,32}");

    private ZoneName()
    {
    }

    /**
     * @param name of a zone.
     * @return whether it may be one.
     */
    public static boolean isValid(final String name)
    {
        return VALID.matcher(name).matches();
    }

    /**
     * Checks what a peer says.
     *
     * @param name of the peer's zone; empty for none.
     * @return the same.
     * @throws ProtocolException if it is no name.
     */
    public static String ofPeer(final String name) throws ProtocolException
    {
        if (!name.isEmpty() && !isValid(name))
        {
            throw new ProtocolException("a zone has " + RULE + ": zone=" + OneLine.ofPeer(name));
        }
        return name;
    }
}
