package org.onesided.client.jcache;

/**
 * Gives the objects behind those of the API.
 */
final class Unwrapping
{
    private Unwrapping()
    {
    }

    /**
     * Finds the first object of a type.
     *
     * @throws IllegalArgumentException if there is none, as the interfaces say.
     */
    static <T> T of(final Class<T> type, final Object... candidates)
    {
        for (final Object candidate : candidates)
        {
            if (type.isInstance(candidate))
            {
                return type.cast(candidate);
            }
        }
        throw new IllegalArgumentException("nothing of this type is here: type=" + type.getName());
    }
}
