package org.onesided.verbs.ibv;

import java.util.function.IntSupplier;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * Checks that a structure that the library has just made holds the values it was made with, so that its other fields
 * can be trusted. Not thread-safe.
 */
final class MadeCheck
{
    private final String verb;
    private final long structure;
    private VerbsException refused;

    /**
     * @param verb      that made it, such as {@code create_cq}.
     * @param structure address of what was made.
     */
    MadeCheck(final String verb, final long structure)
    {
        this.verb = verb;
        this.structure = structure;
    }

    /**
     * @param name     of a field of 8 bytes with its structure, such as {@code ibv_cq.context}.
     * @param offset   of the field.
     * @param expected what must be there.
     * @return this.
     */
    MadeCheck address(final String name, final int offset, final long expected)
    {
        final long found = UnsafeApi.getLong(structure + offset);
        return refuseUnless(found == expected, name, found, "0x" + Long.toHexString(expected));
    }

    /**
     * @param name   of a field of 4 bytes with its structure.
     * @param offset of the field.
     * @param least  of what may be there.
     * @param most   of what may be there.
     * @return this.
     */
    MadeCheck number(final String name, final int offset, final int least, final int most)
    {
        final int found = UnsafeApi.getInt(structure + offset);
        return refuseUnless(found >= least && found <= most, name, found, least + " to " + most);
    }

    /**
     * @param undo takes back what was made, if it was refused; returns 0 or an errno.
     * @throws VerbsException with {@code EOPNOTSUPP} if a field held something else.
     */
    void orUndo(final IntSupplier undo)
    {
        if (refused != null)
        {
            final int errno = undo.getAsInt();
            if (errno != 0)
            {
                refused.addSuppressed(new VerbsException(verb, errno, "what was made could not be destroyed"));
            }
            throw refused;
        }
    }

    /**
     * @param verb     that cannot be carried on with.
     * @param field    name of a field with its structure, such as {@code ibv_cq.context}.
     * @param found    what is there.
     * @param expected what must be there.
     * @return what to throw.
     */
    static VerbsException refused(final String verb, final String field, final Object found, final Object expected)
    {
        return new VerbsException(verb, Errno.EOPNOTSUPP, String.format(
            "the library's structures have another layout than is known here, use rdma-core 28 to 65 on 64-bit " +
                "Linux: field=%s found=%s expected=%s library=%s", field, found, expected, IbvLibrary.NAME));
    }

    private MadeCheck refuseUnless(final boolean fits, final String name, final long found, final String expected)
    {
        if (!fits && refused == null)
        {
            refused = refused(verb, name, "0x" + Long.toHexString(found), expected);
        }
        return this;
    }
}
