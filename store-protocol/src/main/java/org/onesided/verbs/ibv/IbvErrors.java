package org.onesided.verbs.ibv;

import org.onesided.verbs.VerbsException;

/**
 * Turns a failed verb into an exception that says what a person can do about it.
 */
final class IbvErrors
{
    private IbvErrors()
    {
    }

    /**
     * @param verb   that failed, such as {@code reg_mr}.
     * @param errno  a positive error number.
     * @param object what it was done to, as data: {@code device=ibv:rxe0 length=4096}.
     * @return what to throw.
     */
    static VerbsException failure(final String verb, final int errno, final String object)
    {
        return new VerbsException(verb, errno, object);
    }
}
