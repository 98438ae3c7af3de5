"""Code that the fits of clusterings and classifiers share: the loop, checkpoints, saving and loading."""

from hoscpool.training.checkpoint import Checkpoint as Checkpoint
from hoscpool.training.checkpoint import Checkpoints as Checkpoints
from hoscpool.training.checkpoint import begun_seeds as begun_seeds
from hoscpool.training.checkpoint import resume as resume
from hoscpool.training.checkpoint import snapshot as snapshot
from hoscpool.training.loop import DivergenceError as DivergenceError
from hoscpool.training.loop import Ending as Ending
from hoscpool.training.loop import Loop as Loop
from hoscpool.training.loop import Progress as Progress
from hoscpool.training.loop import Team as Team
from hoscpool.training.loop import copy_state as copy_state
from hoscpool.training.loop import current_team as current_team
from hoscpool.training.loop import number_of_ranks as number_of_ranks
from hoscpool.training.loop import working_with as working_with
from hoscpool.training.persistence import as_tuples as as_tuples
from hoscpool.training.persistence import load_estimator as load_estimator
from hoscpool.training.persistence import part as part
from hoscpool.training.persistence import refusing as refusing
from hoscpool.training.persistence import restore_network as restore_network
from hoscpool.training.persistence import save_estimator as save_estimator
