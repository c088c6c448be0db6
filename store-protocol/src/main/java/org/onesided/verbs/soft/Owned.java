package org.onesided.verbs.soft;

import org.onesided.verbs.Context;

/**
 * An object that was made from a context.
 */
interface Owned
{
    /**
     * @return the context.
     */
    Context context();
}
