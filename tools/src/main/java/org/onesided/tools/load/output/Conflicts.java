package org.onesided.tools.load.output;

import java.io.Serializable;

/**
 * What came of read-modify-writes by version whose key another had changed in between.
 *
 * @param puts    that did not take effect therefore.
 * @param givenUp read-modify-writes that ended with such a put; they are neither done nor failed.
 */
public record Conflicts(long puts, long givenUp) implements Serializable
{
    /** No conflicts. */
    public static final Conflicts NONE = new Conflicts(0, 0);

    /**
     * @param other of another process or thread.
     * @return the sums of both.
     */
    public Conflicts plus(final Conflicts other)
    {
        return new Conflicts(puts + other.puts, givenUp + other.givenUp);
    }
}
