package org.onesided.verbs.ibv;

import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * Refuses numbers that are out of range.
 */
final class Ranges
{
    private Ranges()
    {
    }

    /**
     * @param verb that has the number for an argument.
     * @param name of the number.
     * @throws VerbsException with {@code EINVAL} if it is out of range.
     */
    static void check(final String verb, final String name, final int value, final int least, final int most)
    {
        if (value < least || value > most)
        {
            throw new VerbsException(verb, Errno.EINVAL,
                name + " is out of range " + least + " to " + most + ": " + name + "=" + value);
        }
    }
}
